import type { DeploymentArgs } from "../../../sdk/index";
import * as sdk from "../../../sdk/index";
import { Deployment } from "../../support/engine/form";
import { chat, SECOND_IMAGE, sent } from "../../support/engine/programs";
import { type Run, testStack } from "../../support/engine/stack";

const COUNT = 12;
const SECOND = { sourceRevisionConfig: { imageUri: SECOND_IMAGE } };

/** Returns the number of times the run sent each request; fails if the run failed. */
function counted(run: Run): Record<string, number> {
  expect(run.error).toBeUndefined();
  const counts: Record<string, number> = {};
  for (const request of sent(run)) counts[request] = (counts[request] ?? 0) + 1;
  return counts;
}

async function countsOf(form: typeof sdk.Deployment) {
  const { emulator, stack } = await testStack();
  const declaring = (args: Partial<DeploymentArgs>) => () => {
    for (let index = 0; index < COUNT; index += 1)
      new form(`chat-${index}`, chat({ name: `chat-${index}`, rollout: { wait: false }, ...args }));
  };
  const inPlace = declaring({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } } });
  const revised = declaring({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } }, ...SECOND });
  const counts = {
    create: counted(await stack.up(declaring({}))),
    "preview without changes": counted(await stack.preview(declaring({}))),
    "up without changes": counted(await stack.up(declaring({}))),
    "in place": counted(await stack.up(inPlace)),
    refresh: counted(await stack.refresh()),
  };
  // With a slow rollout, the number of requests is predictable. If a revision serves at once, the provider sends
  // further requests to make sure that no older revision serves.
  emulator.behaviour.revisionSeconds = 600;
  const revising = counted(await stack.up(revised));
  return { ...counts, "new revisions": revising, destroy: counted(await stack.destroy()) };
}

test("for every command, the plugin sends exactly as many requests as the dynamic form", async () => {
  const plugin = await countsOf(Deployment);
  expect(plugin).toEqual(await countsOf(sdk.Deployment));
  expect(plugin).toMatchObject({
    create: { "POST /v2/deployments": COUNT },
    "preview without changes": {},
    "up without changes": {},
    "in place": { "PATCH /v2/deployments/ID": COUNT },
    refresh: { "GET /v2/deployments": 1 },
  });
  expect(plugin["new revisions"]).toEqual({
    "PATCH /v2/deployments/ID": COUNT,
    "GET /v2/deployments/ID/revisions": COUNT,
  });
});
