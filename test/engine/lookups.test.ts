import { getDeploymentsOutput, getRevisionsOutput } from "../../sdk/index";
import { Deployment } from "../support/engine/form";
import { chat, sent } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

const KEY = "key-of-the-stack";

/**
 * A stack whose configuration has the service's address, because an inline program does not see the stack's
 * environment.
 */
async function configured() {
  const { emulator, stack } = await testStack({ apiKey: KEY });
  await stack.stack.setConfig("deployment-control:baseUrl", { value: emulator.url });
  await stack.stack.setConfig("deployment-control:apiKey", { value: KEY, secret: true });
  return { emulator, stack };
}

test("if the id of a look-up is unknown, the plan shows the result as unknown, and the apply sends the request", async () => {
  const { emulator, stack } = await configured();
  const program = () => {
    const { id } = new Deployment("chat", chat());
    const revisions = getRevisionsOutput({ deploymentId: id, statuses: ["DEPLOYED"] });
    return {
      statuses: revisions.apply((list) => list.map(({ status }) => status)),
      named: getDeploymentsOutput({ deploymentIds: [id] }).apply((list) =>
        list.map(({ name, secretNames }) => `${name}: ${secretNames.join(" ")}`),
      ),
    };
  };
  const preview = await stack.preview(program);
  expect([preview.error, sent(preview)]).toEqual([undefined, []]);
  emulator.behaviour.secretsInResponses = "echoed";
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(up.outputs).toEqual({ statuses: ["DEPLOYED"], named: ["chat: OPENAI_API_KEY TOKEN"] });
  expect(stack.filesOfState()).not.toContain("sk-first-secret-value");
});
