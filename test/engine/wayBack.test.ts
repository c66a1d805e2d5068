/** Runs the commands `revisions` and `rollback` as a user does, with the real engine. */
import type { Emulator } from "../../sdk/emulator/index";
import { ask } from "../support/embeddedService";
import { CommandProject, KEY } from "../support/engine/commandProject";
import { isPlugin } from "../support/engine/form";
import { isWhole } from "../support/engine/size";
import { service } from "../support/engine/stack";

const SECRET = "value-of-a-secret-that-stays-hidden";
const program = (more = "") => `
new Deployment("chat", {
  name: "chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1 } },
  sourceRevisionConfig: { imageUri: \`registry.example/chat:\${config.require("tag")}\` },
  secrets: { TOKEN: pulumi.secret(${JSON.stringify(SECRET)}) },
  ${more}
});
`;

/** A project whose deployment has a first revision with tag 1 and a second revision with tag 2. */
async function revised(emulator: Emulator) {
  const project = await CommandProject.on(emulator, program(), { tag: "tag-1" });
  await project.up();
  await project.pulumi("config", "set", "tag", "tag-2");
  await project.up();
  emulator.requests.length = 0;
  return project;
}

/** The revisions of the deployment, oldest first. */
const revisionsOf = (emulator: Emulator) => (emulator.deployments()[0]?.revisions ?? []).toReversed();
const writesOf = (emulator: Emulator) => emulator.requests.filter(({ method }) => method !== "GET");
const settingsOf = (emulator: Emulator) =>
  revisionsOf(emulator).map(({ source_revision_config }) => source_revision_config);

/** A project that has taken over an existing deployment, whose revisions have the tags 1 to 6. */
async function adopted(emulator: Emulator, profile: string) {
  const credential = { "x-api-key": KEY };
  const config = (tag: number) => ({ image_uri: `registry.example/chat:tag-${tag}` });
  const body = { name: "chat", source: "external_docker", source_config: {}, secrets: [] };
  const first = { ...body, source_revision_config: config(1) };
  const { id } = (await ask(emulator, "POST", "/v2/deployments", first, credential)).body;
  for (const tag of [2, 3, 4, 5, 6]) {
    const change = { source_revision_config: config(tag) };
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, change, credential);
  }
  const declared = program("adopt: true,").replace(/ +(sourceConfig|secrets): .*\n/g, "");
  const settings = { tag: "tag-6", "deployment-control:profile": profile };
  const project = await CommandProject.on(emulator, declared, settings);
  emulator.requests.length = 0;
  await project.up();
  expect(writesOf(emulator)).toEqual([]);
  return project;
}

/**
 * The tags to roll back to: five in the plugin's suites, which run less often, and one in the suites of the dynamic
 * form.
 */
const TAGS = isPlugin ? [5, 4, 3, 2, 1] : [2];
const PROFILES = isWhole || isPlugin ? (["contract", "langsmith"] as const) : (["langsmith"] as const);

test.each(PROFILES)(
  "a rollback to an older revision makes one revision with the older settings, as the plan says (%s)",
  async (profile) => {
    const emulator = await service({ profile, apiKey: KEY });
    const project = await adopted(emulator, profile);
    const chosen = revisionsOf(emulator);
    for (const tag of TAGS) {
      const before = revisionsOf(emulator).length;
      emulator.requests.length = 0;
      const { id = "", source_revision_config } = chosen[tag - 1] ?? {};
      const plan = await project.command("rollback", "chat", "--to", id, "--config", "tag");
      expect(plan).toMatchObject({ code: 0, errors: "" });
      expect(plan.out).toContain(
        `creates a new revision, with the settings of the one ${before - tag} back\n`,
      );
      expect([writesOf(emulator), revisionsOf(emulator).length]).toEqual([[], before]);
      await project.up();
      const settings = settingsOf(emulator);
      expect([settings.length, settings.at(-1)]).toEqual([before + 1, source_revision_config]);
      expect(settings.at(-1)).toMatchObject({ image_uri: `registry.example/chat:tag-${tag}` });
    }
  },
  600_000,
);

test("after a failed revision, the command in the error plans the rollback to the last good revision, and names the changed secret", async () => {
  const emulator = await service({ apiKey: KEY });
  const project = await revised(emulator);
  const good = revisionsOf(emulator)[1]?.id as string;
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED", message: "image not found" });
  await project.pulumi("config", "set", "tag", "tag-3");
  project.write(program('environment: { LEVEL: "debug" },'));
  const failure = await project.up().then(String, (error: Error) => error.message);
  const [, command = ""] =
    /`npx --no-install deployment-control (.*?)` plans the rollback/.exec(failure) ?? [];
  expect(command).toBe("rollback chat --to last-good");

  const table = await project.command("revisions", "chat");
  expect(table).toMatchObject({ code: 0, errors: "" });
  const lines = table.out.split("\n");
  expect(lines.find((line) => line.startsWith(`1     ${good}`))).toMatch(
    /^1 +\S+ +\d+ s +DEPLOYED +0 s +serves, last good$/,
  );
  expect(table.out).toMatch(/0 +\S+ +\d+ s +DEPLOY_FAILED/);
  expect(table.out).toContain(
    "sourceRevisionConfig.imageUri: registry.example/chat:tag-2 -> registry.example/chat:tag-3\n      the service says: image not found\n",
  );

  const byHand = await project.command(...command.split(" "));
  expect(byHand.code).toBe(2);
  expect(byHand.out).toContain(`back to revision ${good}, the one 1 back, `);
  expect(byHand.out).toContain(
    "not brought back: sourceConfig.resourceSpec, secrets.TOKEN, environment.LEVEL, which the service does not show",
  );
  expect(byHand.errors).toContain("the program sets other settings: change it as shown");
  const planned = await project.command(...command.split(" "), "--config", "app:tag");
  expect(planned).toMatchObject({ code: 0, errors: "" });
  expect(planned.out).toContain("app:tag: tag-3 -> tag-2, set in the stack's configuration\n");
  expect(planned.out).toContain("creates a new revision, with the settings of the one 1 back");
  for (const { out, errors } of [table, byHand, planned]) expect(out + errors).not.toContain("stays-hidden");
});

test("if a configuration key does not decide the argument, rollback restores the key's value and sends only reads", async () => {
  const emulator = await service({ apiKey: KEY });
  const project = await revised(emulator);
  const first = revisionsOf(emulator)[0]?.id as string;
  const configured = async () => JSON.parse(await project.pulumi("config", "--json"));
  await project.pulumi("config", "set", "--", "other", "-2");
  await project.pulumi("config", "set", "unrelated", "something");
  const before = await configured();
  const setBack = await project.command("rollback", "chat", "--to", first, "--config", "other");
  expect(setBack.code).toBe(2);
  expect(setBack.errors).toContain("still sets other settings, so it was set back to -2");
  const unrelated = await project.command("rollback", "chat", "--to", first, "--config", "unrelated");
  expect(unrelated.code).toBe(2);
  expect(unrelated.errors).toContain(
    "its value, something, is not a part of the argument that has to change",
  );
  const secret = await project.command(
    "rollback",
    "chat",
    "--to",
    first,
    "--config",
    "deployment-control:apiKey",
  );
  expect(secret.errors).toContain("the stack's configuration does not have it as a plain value");
  const newest = revisionsOf(emulator)[1]?.id as string;
  const unchanged = await project.command("rollback", "chat", "--to", newest);
  expect(unchanged).toMatchObject({ code: 0, errors: "" });
  expect(unchanged.out).toContain("creates no new revision: the newest one has these settings");
  expect([await configured(), writesOf(emulator)]).toEqual([before, []]);
});
