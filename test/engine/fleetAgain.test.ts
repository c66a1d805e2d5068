import { Deployment, Rollout } from "../support/engine/form";
import { chat } from "../support/engine/programs";
import { type Run, service, stackOn } from "../support/engine/stack";

const said = (run: Run): string[] =>
  run.diagnostics.map(({ message }) => message).filter((message) => message.startsWith("rollout "));

test("after a push to a deployment that the program only reads, the rollout updates and waits, even if the deployment is on a different service", async () => {
  const [near, far] = [await service(), await service({ apiKey: "key-of-far-service" })];
  const [[nearId = ""], [farId = ""]] = [near.seed(1), far.seed(1)];
  const connections = JSON.stringify({ far: { baseUrl: far.url, apiKey: "key-of-far-service" } });
  const stack = await stackOn(near, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  const program = () => {
    const read = [Deployment.get("near", nearId), Deployment.get("far", farId, { connection: "far" })];
    const managedDeployment = new Deployment("own", chat({ name: "own", rollout: { wait: false } }));
    return { deployed: new Rollout("all", { deployments: [...read, managedDeployment] }).deployed };
  };
  const changes = ({ steps: { near: _near, far: _far, ...others } }: Run) => others;
  const up = await stack.up(program);
  expect([up.error, up.outputs.deployed]).toEqual([undefined, 3]);
  for (const run of [await stack.preview(program), await stack.up(program), await stack.preview(program)]) {
    expect([run.error, changes(run), said(run)]).toEqual([undefined, {}, []]);
  }
  for (const [emulator, id] of [
    [near, nearId],
    [far, farId],
  ] as const) {
    emulator.push(id, {});
    expect(changes(await stack.preview(program))).toEqual({ all: "update" });
    expect(changes(await stack.up(program))).toEqual({ all: "update" });
    expect(changes(await stack.preview(program))).toEqual({});
  }
  expect((await stack.refresh()).error).toBeUndefined();
  expect(changes(await stack.preview(program))).toEqual({});
});
