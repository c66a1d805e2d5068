/** Tests the rules of the policy pack, as functions and in the real engine, for both forms of a deployment. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Input } from "@pulumi/pulumi";
import { CREDENTIAL } from "../../sdk/adopt/write/arguments";
import * as sdk from "../../sdk/index";
import { generated } from "../support/engine/form";
import { service, stackOn } from "../support/engine/stack";
import { installedPack } from "../support/examples/policyPack";

const ROOT = path.join(__dirname, "../..");
const pack = installedPack();
const missing = "missing" in pack ? pack.missing : undefined;
const folder = "folder" in pack ? pack.folder : "";
const withFramework: typeof test =
  missing === undefined
    ? test
    : (((name: string) => test.skip(`${name} (skipped: ${missing})`, () => {})) as never);

afterAll(() => rmSync(folder, { recursive: true, force: true }));
interface Rule {
  readonly name: string;
  readonly configSchema?: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
  validateResource(resource: object, report: (words: string) => void): void;
}
const { rules, CREDENTIAL: credentialOfPack } = require("../../examples/policyPack/rules") as {
  rules: readonly Rule[];
  CREDENTIAL: RegExp;
};

const DYNAMIC = "pulumi-nodejs:dynamic/deployment-control:Deployment";
const PLUGIN = "deployment-control:index:Deployment";
const DIGEST = `registry.example.com/chat@sha256:${"0f".repeat(32)}`;

/** The violations that a rule reports; `config` overrides the rule's default configuration. */
function violations(name: string, props: object, { type = DYNAMIC, stack = "production", config = {} } = {}) {
  const rule = rules.find((each) => each.name === name) as Rule;
  const defaults = Object.entries(rule.configSchema?.properties ?? {}).map(([key, each]) => [
    key,
    each.default,
  ]);
  const places: string[] = [];
  const getConfig = () => ({ ...Object.fromEntries(defaults), ...config });
  const urn = `urn:pulumi:${stack}::agents::${type}::chat`;
  rule.validateResource({ type, urn, props, getConfig }, (words) =>
    places.push(words.split(": ")[0] as string),
  );
  return places;
}

const image = (imageUri: string) => ({ sourceRevisionConfig: { imageUri } });
const commit = (repoRef: string) => ({ sourceRevisionConfig: { repoRef } });

test.each([DYNAMIC, PLUGIN])(
  "in production, a tag or a branch is refused, and a digest or a commit is accepted (%s)",
  (type) => {
    const faults = (props: object) => violations("fixed-revision", props, { type });
    expect(faults(image("registry.example.com/chat:1.0.0"))).toEqual(["sourceRevisionConfig.imageUri"]);
    expect(faults(image("registry.example.com/chat"))).toEqual(["sourceRevisionConfig.imageUri"]);
    expect(faults(commit("main"))).toEqual(["sourceRevisionConfig.repoRef"]);
    for (const props of [image(DIGEST), commit("0f".repeat(20)), {}]) expect(faults(props)).toEqual([]);
  },
);

test("only the stacks that the configuration names count as production", () => {
  const faults = (options: object) => violations("fixed-revision", commit("main"), options);
  expect(faults({ stack: "dev" })).toEqual([]);
  expect(faults({ stack: "dev", config: { stacks: ["dev"] } })).toHaveLength(1);
});

test("a scale above the ceiling is refused, and a scale up to the ceiling is accepted", () => {
  const resourceSpec = { minScale: 1, maxScale: 11, queueMaxScale: 12 };
  const faults = (config: object) =>
    violations("scale-ceiling", { sourceConfig: { resourceSpec } }, { config });
  expect(faults({})).toEqual([
    "sourceConfig.resourceSpec.maxScale",
    "sourceConfig.resourceSpec.queueMaxScale",
  ]);
  expect(faults({ maxScale: 12 })).toEqual([]);
  expect(violations("scale-ceiling", {})).toEqual([]);
});

test("a plain variable is refused if its name or its value looks like a credential", () => {
  const environment = { LOG_LEVEL: "debug", MAX_TOKENS: "8", MODEL: " sk-canary", OPENAI_API_KEY: "x" };
  expect(violations("no-plain-secret", { environment })).toEqual([
    "environment.MODEL",
    "environment.OPENAI_API_KEY",
  ]);
  expect(violations("no-plain-secret", { secrets: environment })).toEqual([]);
});

test("the policy pack and the provider recognize the same credentials", () => {
  expect(credentialOfPack).toEqual(CREDENTIAL);
});

const PluginDeployment = generated<typeof sdk.Deployment>("Deployment");
const declares = (imageUri: string, maxScale: Input<number>, variable: string) => () => {
  for (const [name, Deployment] of Object.entries({ dynamic: sdk.Deployment, plugin: PluginDeployment }))
    new Deployment(name, {
      name,
      source: "external_docker",
      sourceConfig: { resourceSpec: { maxScale } },
      sourceRevisionConfig: { imageUri },
      environment: { MODEL: variable },
    });
};

withFramework("in the engine, every rule stops the preview in both forms, and shows no secret", async () => {
  const stack = await stackOn(await service(), {
    name: "production",
    environment: {
      PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env.PATH}`,
      PULUMI_OPTION_POLICY_PACK: folder,
    },
  });
  const refused = await stack.preview(declares("registry.example.com/chat:1.0.0", 11, "sk-canary"));
  const faults = refused.events.flatMap(({ policyEvent }) =>
    policyEvent === undefined
      ? []
      : [
          `${policyEvent.resourceUrn?.split("::").at(-1)} ${policyEvent.policyName} ${policyEvent.enforcementLevel}`,
        ],
  );
  const expected = ["dynamic", "plugin"].flatMap((name) =>
    rules.map((rule) => `${name} ${rule.name} mandatory`),
  );
  expect([...new Set(faults)].sort()).toEqual(expected.sort());
  expect(refused.error).toBeDefined();
  expect(refused.text).toContain("environment.MODEL: looks like a credential");
  expect(refused.text).not.toContain("sk-canary");
  expect(refused.requests).toEqual([]);

  const passed = await stack.preview(declares(DIGEST, 10, "gpt"));
  expect([passed.error, passed.steps]).toEqual([undefined, { dynamic: "create", plugin: "create" }]);
});

withFramework("the program of the policy pack passes the type check", () => {
  const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  expect(() =>
    execFileSync(process.execPath, [tsc, "-p", folder, "--noEmit"], { encoding: "utf8" }),
  ).not.toThrow();
});
