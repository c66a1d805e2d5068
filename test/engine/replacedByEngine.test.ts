/** Replacements that the engine itself requests, because of a resource option, `--replace` or a taint. */
import { execFileSync } from "node:child_process";
import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../sdk/emulator/index";
import { Deployment, isPlugin, typeOf } from "../support/engine/form";
import { reported } from "../support/engine/planReport";
import { chat, lines, SECOND_IMAGE, sent } from "../support/engine/programs";
import { type TestStack, testStack } from "../support/engine/stack";

const PROFILES = ["contract", "langsmith"] as const;
type Profile = (typeof PROFILES)[number];

/**
 * A program whose transformation sets the options, because the dynamic form refuses them in a resource's declaration.
 */
const declaring =
  (args: Parameters<typeof chat>[0], options: pulumi.CustomResourceOptions = {}) =>
  () => {
    pulumi.runtime.registerStackTransformation(({ name, props, opts }) =>
      name === "chat" ? { props, opts: pulumi.mergeOptions(opts, options) } : undefined,
    );
    return { id: new Deployment("chat", chat(args)).id };
  };
const [first, same] = [declaring({}), declaring({})];

async function running(profile: Profile, program = first) {
  // With an API key, the journal proves that the secrets are unchanged, so `pulumi up` needs no write to take over the
  // deployment.
  const { emulator, stack } = await testStack({ profile, apiKey: "key-of-the-test" });
  const { error, outputs } = await stack.up(program);
  expect(error).toBeUndefined();
  return { emulator, stack, id: String(outputs.id) };
}

const urn = `urn:pulumi:test::engine::${typeOf("Deployment")}::chat`;
const writes = (run: Parameters<typeof sent>[0]) => sent(run).filter((request) => !request.startsWith("GET"));
const ids = (emulator: Emulator) => emulator.deployments().map(({ id }) => id);

async function goesOn(stack: TestStack, program = same) {
  expect((await stack.up(program)).error).toBeUndefined();
  const last = await stack.up(program);
  expect(last.error).toBeUndefined();
  expect(sent(last)).toEqual([]);
}

const newImage = { sourceRevisionConfig: { imageUri: SECOND_IMAGE } };

(isPlugin ? test : test.skip)(
  "with replaceOnChanges, the plan announces the replacement; the old deployment is deleted first if the service can delete deployments",
  async () => {
    const { emulator, stack, id } = await running("langsmith");
    const program = declaring(newImage, { replaceOnChanges: ["sourceRevisionConfig"] });
    const report = await reported(stack, program);
    expect(report.deployments).toMatchObject([{ name: "chat", verdict: "replace", fate: "deleted" }]);
    const run = await stack.up(program);
    expect(run.error).toBeUndefined();
    expect(lines(run)).toContain("is replaced, because the engine asks for it");
    expect(lines(run).join()).toContain(`the old deployment ${id} is deleted before the new one is created`);
    expect(writes(run)).toEqual(["DELETE /v2/deployments/ID", "POST /v2/deployments"]);
    expect(ids(emulator)).not.toContain(id);
    await goesOn(stack, program);
  },
);

describe.each(PROFILES)("under %s", (profile) => {
  const options: pulumi.CustomResourceOptions = isPlugin
    ? { replaceOnChanges: ["sourceRevisionConfig"] }
    : { replacementTrigger: "b" };
  const refused = isPlugin && profile === "langsmith" ? { onDestroy: "retain" as const } : {};

  test("an option that forces a replacement under the same name is refused before anything is sent", async () => {
    const before = declaring(refused, { replacementTrigger: "a" });
    const { emulator, stack, id } = await running(profile, before);
    const program = declaring({ ...refused, ...newImage }, { replacementTrigger: "a", ...options });
    const report = await reported(stack, program);
    expect(report.failure).toMatch(
      /because the engine asks for it, but the old deployment still has the name\. Change name too/,
    );
    const run = await stack.up(program);
    expect(run.error).toMatch(/replaceOnChanges, replaceWith, replacementTrigger/);
    expect(writes(run)).toEqual([]);
    expect(ids(emulator)).toEqual([id]);
    await goesOn(stack, before);
  });

  test.each(["--replace", "taint"])(
    "%s: a replacement under the same name is refused, and the report names the command that cancels the replacement",
    async (how) => {
      const { emulator, stack, id } = await running(profile);
      const { folder: cwd, environment } = stack;
      const command = (name: string) =>
        execFileSync("pulumi", ["state", name, urn, "--yes", "--stack", "test"], {
          cwd,
          env: { ...process.env, ...environment },
        });
      // This `pulumi up` finds the deployment in the state, and removes the creation's entry from the journal.
      await stack.up(same);
      if (how === "taint") command("taint");
      const upOptions = how === "taint" ? {} : { replace: [urn] };
      const report = await reported(stack, same, {}, upOptions);
      expect(report.refusals).toEqual([expect.stringContaining(`run: pulumi state untaint '${urn}'`)]);
      const run = await stack.up(same, upOptions);
      expect(run.error).toContain(
        `a deployment named "chat" exists already on ${emulator.url}. Change name, or set adopt: "${id}" to manage it`,
      );
      expect(writes(run)).toEqual([]);
      expect(ids(emulator)).toEqual([id]);
      if (how === "taint") command("untaint");
      await goesOn(stack);
    },
  );

  test("directly after the `pulumi up` that created the deployment, a forced replacement fails and sends no write, and the deployment stays", async () => {
    const { emulator, stack, id } = await running(profile);
    const run = await stack.up(same, { replace: [urn] });
    expect(run.error).toContain("was not replaced");
    expect(writes(run)).toEqual([]);
    expect(ids(emulator)).toEqual([id]);
    await goesOn(stack);
  });

  test("a forced replacement that first deletes the old deployment succeeds if the service can delete deployments, and is otherwise refused", async () => {
    const program = declaring({}, { deleteBeforeReplace: true });
    const { emulator, stack, id } = await running(profile, program);
    const run = await stack.up(program, { replace: [urn] });
    const isDeleted = profile === "langsmith";
    expect(run.error === undefined).toBe(isDeleted);
    if (!isDeleted) expect(run.error).toMatch(/is to be replaced under its own name.*--replace or a taint/);
    expect(writes(run)).toEqual(isDeleted ? ["DELETE /v2/deployments/ID", "POST /v2/deployments"] : []);
    expect(ids(emulator).includes(id)).toBe(!isDeleted);
    await goesOn(stack, program);
  });
});
