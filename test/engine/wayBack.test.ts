/**
 * Runs the commands `revisions` and `rollback` as a user does, with the real engine. Also covers a stack that is not
 * selected, a state file, and an explicit provider.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
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
const deployment = (options = "", more = "") => `
${more}
new Deployment("chat", {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: \`registry.example/chat:\${config.require("tag")}\` },
}, {${options}});
`;

/** A project whose deployment has a first revision with tag 1 and a second revision with tag 2. */
async function revised(emulator: Emulator, text = program(), settings: { [key: string]: string } = {}) {
  const project = await CommandProject.on(emulator, text, { tag: "tag-1", ...settings });
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

/** A project that has adopted an existing deployment. The deployment's revisions have the tags 1 to 6. */
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

test("if a configuration key does not control the argument, rollback restores the key's value and sends only reads", async () => {
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

  const { id } = emulator.deployments()[0] as { id: string };
  const release = { source_revision_config: { image_uri: "registry.example/chat:tag-9" } };
  await ask(emulator, "PATCH", `/v2/deployments/${id}`, release, { "x-api-key": KEY });
  const stale = await project.command("rollback", "chat", "--to", newest);
  expect(stale.code).toBe(2);
  expect(stale.errors).toContain("another tool made the newest revision, so the state does not have it. Run");
});

test("the commands `revisions` and `rollback` take --stack and --file, and send only GET requests", async () => {
  const emulator = await service({ apiKey: KEY });
  const project = await revised(emulator, deployment());
  const state = await project.pulumi("stack", "export", "--show-secrets");
  writeFileSync(path.join(project.folder, "state.json"), state);
  await project.pulumi("stack", "init", "other");
  await project.pulumi("config", "set", "tag", "tag-2");
  await project.pulumi("config", "set", "deployment-control:baseUrl", emulator.url);
  emulator.requests.length = 0;
  const first = String(revisionsOf(emulator)[0]?.id);
  const [ofOther, ofDev, ofFile] = [
    await project.command("revisions", "chat"),
    await project.command("revisions", "chat", "--stack", "dev", "--format", "json"),
    await project.command("revisions", "chat", "--file", "state.json", "--format", "json"),
  ];
  expect(ofOther).toMatchObject({
    code: 1,
    errors: expect.stringContaining('the state has no deployment "chat"'),
  });
  expect(
    JSON.parse(ofDev.out)
      .revisions.map(({ id }: { id: string }) => id)
      .at(-1),
  ).toBe(first);
  expect(JSON.parse(ofFile.out)).toEqual(JSON.parse(ofDev.out));

  const to = ["rollback", "chat", "--to", first, "--stack", "dev"];
  const refused = await project.command(...to, "--format", "json");
  const image = { path: "sourceRevisionConfig.imageUri" };
  expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining("change it as shown") });
  expect(JSON.parse(refused.out)).toMatchObject({
    schemaVersion: 1,
    name: "chat",
    target: { revision: first, stepsBack: 1, status: "DEPLOYED" },
    changes: [{ ...image, before: "registry.example/chat:tag-2", after: "registry.example/chat:tag-1" }],
    setting: null,
    refusal: expect.stringContaining("change it as shown"),
    plan: null,
  });
  const ofState = await project.command(...to, "--format", "json", "--file", "state.json");
  expect(JSON.parse(ofState.out)).toEqual(JSON.parse(refused.out));
  const planned = await project.command(...to, "--config", "tag", "--format", "json");
  expect(planned).toMatchObject({ code: 0, errors: "" });
  expect(JSON.parse(planned.out)).toMatchObject({
    setting: { key: "app:tag", before: "tag-2", after: "tag-1" },
    refusal: null,
    verdict: "new-revision",
    plan: { stack: "app/dev", deployments: [{ name: "chat", verdict: "new-revision" }] },
  });
  const page = await project.command(...to);
  expect(page).toMatchObject({ code: 0, errors: "" });
  expect(page.out).toContain("Traffic moves to newly built revisions: 1 new revision");
  expect(page.out).toMatch(/creates a new revision, with the settings of the one 1 back\n$/);
  const elsewhere = await project.command("rollback", "chat", "--to", first, "--file", "state.json");
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.errors).toContain('the plan has no deployment "chat"');
  expect(writesOf(emulator)).toEqual([]);
  for (const { out, errors } of [ofDev, refused, planned, page]) expect(out + errors).not.toContain(KEY);
});

/** A program can declare a provider only in the plugin form. */
const withProviders = isPlugin ? test : test.skip;

withProviders(
  "if a deployment has an explicit provider, `revisions` and `rollback` read from the provider's service, not the stack's",
  async () => {
    const [emulator, other] = [await service({ apiKey: KEY }), await service({ apiKey: "another-key" })];
    const west = `const west = new pulumi.ProviderResource("deployment-control", "west", {
    baseUrl: ${JSON.stringify(emulator.url)}, apiKey: pulumi.secret(${JSON.stringify(KEY)}) });`;
    const settings = { "deployment-control:baseUrl": other.url };
    const project = await revised(emulator, deployment("provider: west", west), settings);
    const first = String(revisionsOf(emulator)[0]?.id);
    emulator.requests.length = 0;
    const table = await project.command("revisions", "chat");
    expect(table).toMatchObject({ code: 0, errors: "" });
    expect(table.out).toContain(first);
    const plan = await project.command("rollback", "chat", "--to", first, "--config", "tag");
    expect(plan).toMatchObject({ code: 0, errors: "" });
    expect(plan.out).toContain("creates a new revision, with the settings of the one 1 back");
    expect([other.requests, writesOf(emulator)]).toEqual([[], []]);
    expect(table.out + plan.out).not.toContain(KEY);
  },
);
