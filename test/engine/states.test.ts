import type { Properties } from "../../provider/fields/value";
import { CURRENT_SCHEMA, SCHEMA } from "../../provider/host/schema";
import { Deployment } from "../../sdk";
import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { service, stackOn } from "../support/engine/stack";

const program = () =>
  void new Deployment("image", {
    name: "image",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/image:1" },
    secrets: { TOKEN: "token-value" },
  });

test("every command refuses the state of a newer version, and nothing is sent or written", async () => {
  const stack = await stackOn(await service());
  expect((await stack.up(program)).error).toBeUndefined();
  const recorded = JSON.stringify(await stack.stack.exportStack());
  const newer = JSON.parse(recorded, (name, value) => (name === SCHEMA ? CURRENT_SCHEMA + 1 : value));
  await stack.stack.importStack(newer);
  const outputs = async (): Promise<Properties[]> =>
    ((await stack.stack.exportStack()).deployment.resources ?? []).map(
      (resource: { outputs?: Properties }) => resource.outputs,
    );
  const before = await outputs();
  expect(before).toContainEqual(expect.objectContaining({ [SCHEMA]: CURRENT_SCHEMA + 1 }));
  for (const run of [
    await stack.preview(program),
    await stack.up(program),
    await stack.refresh(),
    await stack.destroy(),
  ]) {
    expect(errorsOf(run).join("\n")).toContain(
      `its state has the schema version ${CURRENT_SCHEMA + 1}, but this package reads only version ${CURRENT_SCHEMA}`,
    );
    expect(blemishesOf(run)).toEqual([]);
    expect(run.requests).toEqual([]);
  }
  expect(await outputs()).toEqual(before);
});
