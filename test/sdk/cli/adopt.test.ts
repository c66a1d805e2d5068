import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { adopt, cli, workFolder } from "../../support/adopt/command";
import { complaintsOf, typescriptDeclares } from "../../support/adopt/declaredResources";
import { agent, created, started } from "../../support/embeddedService";

const image = (name: string, change: object = {}) => ({
  name,
  source: "external_docker",
  source_config: { resource_spec: { min_scale: 1 } },
  source_revision_config: { image_uri: "registry.example/chat:1" },
  secrets: [],
  ...change,
});

/** The declarations of the program in the folder. */
const declaredIn = (folder: string) =>
  typescriptDeclares(readFileSync(path.join(folder, "index.ts"), "utf8"));

test("adopt writes an account as a project, sends only requests that list deployments and listeners, and writes no secret value", async () => {
  const emulator = await started({ secretsInResponses: "echoed" });
  const { id: listener_id } = emulator.addListener({ compute_id: "prod" });
  await created(
    emulator,
    image("chat", { source_config: { listener_id }, secrets: [{ name: "KEY", value: "canary-in-clear" }] }),
  );
  await created(emulator, agent);
  emulator.requests.length = 0;
  const folder = workFolder();
  const { code, out, errors } = await adopt(emulator, folder, ["--out", "infra"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(out).toContain("infra: 2 deployments and 1 listener written");
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v2/deployments",
    // A short first page does not end the list, because the service may cap its pages.
    "GET /v2/deployments",
    "GET /v2/listeners",
    "GET /v2/listeners",
  ]);
  const project = path.join(folder, "infra");
  expect(readdirSync(project).sort()).toEqual(
    [".gitignore", "Pulumi.yaml", "README.md", "index.ts", "package.json", "tsconfig.json"].sort(),
  );
  for (const file of readdirSync(project))
    expect(readFileSync(path.join(project, file), "utf8")).not.toContain("canary");
  const { deployments, listeners } = declaredIn(project);
  expect(listeners).toEqual({ prod: listener_id });
  expect(Object.keys(deployments)).toEqual(["agent", "chat"]);
  expect(deployments.chat).toMatchObject({
    name: "chat",
    onDestroy: "retain",
    sourceConfig: { listenerId: listener_id },
  });
  expect(deployments.chat).not.toHaveProperty("secrets");
  expect(readFileSync(path.join(project, "index.ts"), "utf8")).toContain(
    '// Secrets that stay as they are on the service: "KEY".',
  );
});

test("a secret with a blank name does not stop the adoption", async () => {
  const emulator = await started({ secretsInResponses: "echoed" });
  const { id } = await created(emulator, image("chat"));
  emulator.change(id as string, { secrets: [{ name: " ", value: "canary-in-clear" }] });
  const folder = workFolder();
  expect(await adopt(emulator, folder, ["--out", "infra"])).toMatchObject({ code: 0, errors: "" });
  expect(readFileSync(path.join(folder, "infra", "index.ts"), "utf8")).toContain(
    '// Secrets that stay as they are on the service: " ".',
  );
});

test("the README names the deployments whose newest revision is not serving", async () => {
  const emulator = await started({ revisionStatuses: ["CREATING", "DEPLOY_FAILED"] });
  await created(emulator, image("chat"));
  const folder = workFolder();
  expect((await adopt(emulator, folder, ["--out", "p"])).code).toBe(0);
  expect(readFileSync(path.join(folder, "p", "README.md"), "utf8")).toMatch(
    /## Look at these first\n\n.*newest revision[^#]*: `chat`\./s,
  );
});

test("if one of the files already exists, adopt writes no file", async () => {
  const emulator = await started();
  await created(emulator, agent);
  const folder = workFolder();
  mkdirSync(path.join(folder, "infra"));
  writeFileSync(path.join(folder, "infra", "index.ts"), "mine");
  const { code, errors } = await adopt(emulator, folder, ["--out", "infra"]);
  expect(code).toBe(1);
  expect(errors).toContain("infra has index.ts already, and nothing is overwritten");
  expect(readdirSync(path.join(folder, "infra"))).toEqual(["index.ts"]);
  expect(readFileSync(path.join(folder, "infra", "index.ts"), "utf8")).toBe("mine");
});

test("a deployment gets the same resource name whether adopt selects it by pattern, status or id, or adopts the whole account", async () => {
  const emulator = await started({ revisionSeconds: 0 });
  const first = await created(emulator, image("chat eu"));
  const second = await created(emulator, image("chat-eu"));
  await created(emulator, image("other"));
  const adoptedNames = async (...args: string[]) => {
    const folder = workFolder();
    const { errors } = await adopt(emulator, folder, ["--out", "p", ...args]);
    return errors === "" ? Object.keys(declaredIn(path.join(folder, "p")).deployments) : errors;
  };
  const late = `chat-eu-${second.id.slice(0, 8)}`;
  expect(await adoptedNames("--name", "chat*")).toEqual(["chat-eu", late]);
  expect(await adoptedNames("--name", "chat?eu", "--id", second.id)).toEqual([late]);
  expect(await adoptedNames("--id", `${first.id.toUpperCase()},${second.id}`)).toEqual(["chat-eu", late]);
  expect(await adoptedNames("--status", "READY", "--name", "o*")).toEqual(["other"]);
  expect(await adoptedNames("--status", "UNUSED")).toContain("none of its 3 deployments matches");
  expect(await adoptedNames("--id", "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21")).toContain(
    "has no deployment with the id 3f2b",
  );
});

test("a deployment that Terraform manages is adopted once, under Terraform's name, and the README says what to remove from Terraform", async () => {
  const emulator = await started();
  const [chat, other] = [
    await created(emulator, image("chat-eu-1")),
    await created(emulator, image("agent-2")),
  ];
  await created(emulator, image("by hand"));
  const resource = (address: string, name: string, id: string, index?: string) => ({
    address,
    mode: "managed",
    type: "provider_deployment",
    name,
    ...(index === undefined ? {} : { index }),
    values: { id, api_key: "canary-of-terraform" },
  });
  const state = {
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          resource("provider_deployment.chat", "chat", chat.id),
          { ...resource("data.provider_deployment.seen", "seen", other.id), mode: "data" },
        ],
        child_modules: [
          { resources: [resource('module.m.provider_deployment.agents["a b"]', "agents", other.id, "a b")] },
        ],
      },
    },
  };
  const folder = workFolder();
  const { code, errors } = await adopt(
    emulator,
    folder,
    ["--out", "p", "--terraform", "-"],
    {},
    JSON.stringify(state),
  );
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(Object.keys(declaredIn(path.join(folder, "p")).deployments)).toEqual(["agents-a-b", "chat"]);
  const readme = readFileSync(path.join(folder, "p", "README.md"), "utf8");
  expect(readme).toContain('- `module.m.provider_deployment.agents["a b"]`');
  expect(readme).toContain("terraform state rm ADDRESS");
  expect(readme).not.toMatch(/data\.provider|canary/);
  writeFileSync(
    path.join(folder, "bad.json"),
    '{"format_version": "1.0", "values": {"root_module": {"resources": "canary"}}}',
  );
  const bad = await adopt(emulator, folder, ["--out", "q", "--terraform", "bad.json"]);
  expect(bad.errors).toContain("bad.json: $.values.root_module.resources: expected array, received string");
  expect(existsSync(path.join(folder, "q"))).toBe(false);
});

test("if the service's answers are invalid, adopt refuses the account and writes nothing", async () => {
  const emulator = await started();
  const { id } = await created(emulator, agent);
  const folder = workFolder();
  emulator.change(id, { source_config: { build_on_push: "perhaps" } });
  const { code, errors } = await adopt(emulator, folder, ["--out", "p"]);
  expect(code).toBe(1);
  expect(errors).toContain(
    `with an entry (id ${id}, name "${agent.name}") that does not match the contract: sourceConfig.buildOnPush`,
  );
  expect(existsSync(path.join(folder, "p"))).toBe(false);
});

test("the comparison lists deployments that only one side has, that differ, or that two programs manage", async () => {
  const emulator = await started();
  const [same, differing, gone] = [
    await created(emulator, image("same")),
    await created(
      emulator,
      image("differs | here", { secrets: [{ name: "KEY", value: "canary-of-a-secret" }] }),
    ),
    await created(emulator, image("gone")),
  ];
  const { id: listener } = emulator.addListener({ compute_id: "new cluster" });
  const recorded = (urnName: string, { id, name, latest_revision_id }: typeof same, more: object = {}) => ({
    urn: `urn:pulumi:prod::agents::pulumi-nodejs:dynamic/deployment-control:Deployment::${urnName}`,
    type: "pulumi-nodejs:dynamic/deployment-control:Deployment",
    id,
    outputs: {
      name,
      source: "external_docker",
      sourceConfig: { resourceSpec: { minScale: 1 } },
      sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
      serviceUrl: emulator.url,
      latestRevisionId: latest_revision_id,
      __schemaVersion: 1,
      ...more,
    },
  });
  const sealed = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:abc",
  };
  const state = (...resources: object[]) => JSON.stringify({ version: 3, deployment: { resources } });
  const whole = state(
    recorded("same", same),
    recorded("differs", differing, {
      secrets: { KEY: sealed, OLD: sealed },
      secretGenerations: { KEY: 1, OLD: 1 },
    }),
    recorded("gone", gone),
    recorded("elsewhere", gone, { serviceUrl: "https://other.example" }),
    recorded("workspace", gone, { tenantId: "00000000-0000-4000-8000-00000000000a" }),
  );
  emulator.change(differing.id, { source_config: { resource_spec: { min_scale: 4 } } });
  emulator.remove(gone.id);
  const folder = workFolder();
  const json = await adopt(emulator, folder, ["--compare", "--format", "json", "--state", "-"], {}, whole);
  expect({ code: json.code, errors: json.errors }).toEqual({ code: 2, errors: "" });
  const comparison = JSON.parse(json.out);
  expect(comparison).toMatchObject({
    schemaVersion: 1,
    compared: { deployments: 3, listeners: 1 },
    elsewhere: 2,
  });
  expect(comparison.rows).toEqual([
    {
      kind: "deployment",
      finding: "gone from the service",
      name: "gone",
      id: gone.id,
      resources: ["agents/prod: gone"],
      fields: [],
    },
    {
      kind: "deployment",
      finding: "differs",
      name: "differs | here",
      id: differing.id,
      resources: ["agents/prod: differs"],
      fields: [
        { path: "sourceConfig.resourceSpec.minScale", program: 1, service: 4 },
        { path: "secrets.OLD", program: "[secret]", service: null },
      ],
    },
    {
      kind: "listener",
      finding: "not in the program",
      name: "new cluster",
      id: listener,
      resources: [],
      fields: [],
    },
  ]);
  const text = await adopt(emulator, folder, ["--compare", "--state", "-"], {}, whole);
  expect(text.out).toContain("    sourceConfig.resourceSpec.minScale  program: 1  service: 4\n");
  writeFileSync(path.join(folder, "one.json"), state(recorded("same", same)));
  const inStaging = state(recorded("again", same)).replaceAll("urn:pulumi:prod::", "urn:pulumi:staging::");
  writeFileSync(path.join(folder, "two.json"), inStaging);
  const twice = await adopt(emulator, folder, [
    "--compare",
    "--name",
    "same",
    "--state",
    "one.json",
    "--state",
    "two.json",
  ]);
  expect(twice).toMatchObject({
    code: 2,
    out: expect.stringMatching(/managed twice +agents\/prod: same, agents\/staging: again/),
  });
  emulator.change(same.id, { source_config: { resource_spec: { min_scale: 9 } } });
  const twiceAndDifferent = await adopt(emulator, folder, [
    "--compare",
    "--state",
    "one.json",
    "--state",
    "two.json",
  ]);
  expect(twiceAndDifferent.out).toMatch(/managed twice[\s\S]*minScale {2}program: \d {2}service: 9/);
  emulator.change(same.id, { source_config: { resource_spec: { min_scale: 1 } } });
  const repeated = ["--compare", "--state", "one.json", "--state", "one.json"];
  expect(await adopt(emulator, folder, repeated)).toMatchObject({
    code: 1,
    errors: expect.stringContaining(
      "one.json: is of the stack agents/prod, and so is one.json; name each stack once",
    ),
  });
  const agrees = await adopt(emulator, folder, [
    "--compare",
    "--name",
    "same",
    "--out",
    "table.txt",
    "--state",
    "one.json",
  ]);
  expect(agrees).toEqual({ code: 0, out: "", errors: "" });
  expect(readFileSync(path.join(folder, "table.txt"), "utf8")).toContain(
    "the programs and the service agree",
  );
  for (const { out } of [json, text]) expect(out).not.toContain("canary");
});

test("if an account is adopted through a connection, each resource names the connection", async () => {
  const emulator = await started();
  const { id: listener_id } = emulator.addListener({ compute_id: "prod" });
  await created(emulator, image("chat", { source_config: { listener_id } }));
  const folder = workFolder();
  const variables = {
    DEPLOYMENT_CONTROL_BASE_URL: undefined,
    DEPLOYMENT_CONTROL_CONNECTIONS: JSON.stringify({ eu: { baseUrl: emulator.url } }),
  };
  const args = ["--connection", "eu", "--out", "p"];
  expect(await adopt(emulator, folder, args, variables)).toMatchObject({ code: 0, errors: "" });
  const program = readFileSync(path.join(folder, "p", "index.ts"), "utf8");
  expect(program).toContain(`Listener.get("prod", "${listener_id}", { connection: "eu" });`);
  expect(program).toContain('  connection: "eu",\n');
  expect(complaintsOf([program])).toEqual([]);
});

test("adopt reads the settings of the folder's stack, and environment variables override these settings", async () => {
  const emulator = await started();
  await created(emulator, image("chat"));
  emulator.behaviour.apiKey = "key-of-the-stack";
  const folder = workFolder();
  const config = {
    "deployment-control:baseUrl": { value: emulator.url, secret: false },
    "deployment-control:apiKey": { value: "key-of-the-stack", secret: true },
  };
  // This script stands in for the CLI, and prints the configuration of the stack.
  const script = `#!/bin/sh\n[ "$1 $6" = "config dev" ] && cat '${path.join(folder, "config.json")}'\n`;
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(path.join(folder, "pulumi"), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
  const compared = (variables: object) =>
    cli(
      ["adopt", "--compare", "--stack", "dev", "--state", "-"],
      folder,
      { ...env, ...variables },
      '{"version":3,"deployment":{}}',
    );
  const { code, out, errors } = await compared({});
  expect({ code, errors }).toEqual({ code: 2, errors: "" });
  expect(out).toContain("chat");
  expect((await compared({ DEPLOYMENT_CONTROL_API_KEY: "wrong-key" })).errors).toMatch(
    /403: .*Set another key in deployment-control:apiKey/,
  );
});
