/** Two stacks of one project. A deployment moves from one stack to the other, and back. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { Deployment, typeOf } from "../support/engine/form";
import { chat, revisionCount, sent } from "../support/engine/programs";
import { service, stackOn, type TestStack } from "../support/engine/stack";

const declares =
  (...names: readonly string[]) =>
  () => {
    for (const name of names) new Deployment(name, chat({ name }));
  };

const urnIn = (stack: string, name: string) =>
  `urn:pulumi:${stack}::engine::${typeOf("Deployment")}::${name}`;

function pulumi({ folder, environment }: TestStack, ...args: readonly string[]): string {
  const env = { ...process.env, ...environment };
  return execFileSync("pulumi", [...args, "--non-interactive"], { cwd: folder, env, encoding: "utf8" });
}

const move = (stack: TestStack, from: string, to: string, name: string): string =>
  pulumi(stack, "state", "move", "--source", from, "--dest", to, "--yes", urnIn(from, name));

/** Two stacks that share a backend and a journal. */
async function shards() {
  const emulator = await service();
  const first = await stackOn(emulator, { name: "shard-1" });
  const journal = path.join(first.folder, "journal");
  const common = { DEPLOYMENT_CONTROL_JOURNAL: journal };
  const environment = { ...common, PULUMI_BACKEND_URL: first.environment.PULUMI_BACKEND_URL as string };
  Object.assign(first.environment, common);
  first.stack.workspace.envVars = first.environment;
  const second = await stackOn(emulator, { name: "shard-2", environment });
  expect((await first.up(declares("moving", "staying"))).error).toBeUndefined();
  expect((await second.up(declares("resident"))).error).toBeUndefined();
  return { emulator, first, second, journal };
}

test("a move of a deployment to a second stack and back sends no request, and the second stack can change the deployment", async () => {
  const { emulator, first, second, journal } = await shards();
  const ids = emulator.deployments().map(({ id }) => id);
  expect(move(first, "shard-1", "shard-2", "moving")).toContain("Successfully moved resources");
  for (const up of [await second.up(declares("resident", "moving")), await first.up(declares("staying"))]) {
    expect([up.error, up.steps, sent(up)]).toEqual([undefined, {}, []]);
  }
  const image = { sourceRevisionConfig: { imageUri: "registry.example/chat:2" } };
  const changed = await second.up(() => {
    declares("resident")();
    new Deployment("moving", chat({ name: "moving", ...image }));
  });
  expect([changed.error, changed.steps]).toEqual([undefined, { moving: "update" }]);
  expect(sent(changed).filter((request) => !request.startsWith("GET"))).toEqual(["PATCH /v2/deployments/ID"]);
  expect(revisionCount(emulator, "moving")).toBe(2);
  // The next move works without a journal, because only the states of the two stacks record a move.
  rmSync(journal, { recursive: true });
  move(second, "shard-2", "shard-1", "moving");
  const back = await first.up(() => {
    declares("staying")();
    new Deployment("moving", chat({ name: "moving", ...image }));
  });
  expect([back.error, back.steps, sent(back)]).toEqual([undefined, {}, []]);
  expect(emulator.deployments().map(({ id }) => id)).toEqual(ids);
});
