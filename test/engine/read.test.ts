import { created } from "../support/embeddedService";
import { Deployment } from "../support/engine/form";
import { service, stackOn } from "../support/engine/stack";

test("a refresh with or without changes does not change the outputs of a deployment that the program only reads", async () => {
  const emulator = await service();
  const { id } = await created(emulator, {
    name: "theirs",
    source: "external_docker",
    source_config: { resource_spec: { min_scale: 1 } },
    source_revision_config: { image_uri: "registry.example/chat:1" },
    secrets: [{ name: "KEY", value: "value-of-theirs" }],
  });
  const stack = await stackOn(emulator);
  const reads = () => {
    const { revisionGeneration, rolloutState } = Deployment.get("theirs", id as string);
    return { revisionGeneration, rolloutState };
  };
  expect((await stack.up(reads)).error).toBeUndefined();
  const before = (await stack.recorded("theirs")).outputs;
  expect((await stack.refresh()).error).toBeUndefined();
  expect((await stack.recorded("theirs")).outputs).toEqual(before);
  emulator.push(id as string, { commitSha: "c".repeat(40) });
  expect((await stack.refresh()).error).toBeUndefined();
  const refreshed = (await stack.recorded("theirs")).outputs;
  expect((await stack.up(reads)).error).toBeUndefined();
  expect((await stack.recorded("theirs")).outputs).toEqual(refreshed);
});
