/**
 * Runs the commands `revisions` and `rollback` for a stack that is not selected, a state file, and an explicit
 * provider.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../sdk/emulator/index";
import { CommandProject, KEY } from "../support/engine/commandProject";
import { isPlugin } from "../support/engine/form";
import { service } from "../support/engine/stack";

const deployment = (options = "", more = "") => `
${more}
new Deployment("chat", {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: \`registry.example/chat:\${config.require("tag")}\` },
}, {${options}});
`;

/** A project whose deployment has a first revision with tag 1 and a second revision with tag 2. */
async function revised(emulator: Emulator, program = deployment(), settings: { [key: string]: string } = {}) {
  const project = await CommandProject.on(emulator, program, { tag: "tag-1", ...settings });
  await project.up();
  await project.pulumi("config", "set", "tag", "tag-2");
  await project.up();
  return project;
}

const firstOf = (emulator: Emulator): string => emulator.deployments()[0]?.revisions.at(-1)?.id as string;
const writesOf = (emulator: Emulator) => emulator.requests.filter(({ method }) => method !== "GET");

test("the commands `revisions` and `rollback` take --stack and --file, and send only GET requests", async () => {
  const emulator = await service({ apiKey: KEY });
  const project = await revised(emulator);
  const state = await project.pulumi("stack", "export", "--show-secrets");
  writeFileSync(path.join(project.folder, "state.json"), state);
  await project.pulumi("stack", "init", "other");
  await project.pulumi("config", "set", "tag", "tag-2");
  await project.pulumi("config", "set", "deployment-control:baseUrl", emulator.url);
  emulator.requests.length = 0;
  const first = firstOf(emulator);
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
  "`revisions` and `rollback` look up a deployment with an explicit provider on the provider's service, not on the stack's",
  async () => {
    const [emulator, other] = [await service({ apiKey: KEY }), await service({ apiKey: "another-key" })];
    const west = `const west = new pulumi.ProviderResource("deployment-control", "west", {
    baseUrl: ${JSON.stringify(emulator.url)}, apiKey: pulumi.secret(${JSON.stringify(KEY)}) });`;
    const settings = { "deployment-control:baseUrl": other.url };
    const project = await revised(emulator, deployment("provider: west", west), settings);
    const first = firstOf(emulator);
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
