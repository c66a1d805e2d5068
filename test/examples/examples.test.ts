/** Runs the examples that declare dynamic resources; tests in `test/languages` run the examples that use the plugin. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk/index";
import { started } from "../support/embeddedService";
import { isWhole } from "../support/engine/size";
import {
  EXAMPLES,
  examplesOf,
  KEY,
  revisionsOn,
  runs,
  type Surroundings,
  serviceFor,
  stackOf,
  usesPlugin,
} from "../support/examples/example";

const ROOT = path.join(__dirname, "..", "..");

const INTEGRATION = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";
const TOKEN = "token-of-continuous-integration";

const surroundings: Readonly<Record<string, Surroundings>> = {
  quickstart: {
    service: { hosting: "self-hosted" },
    prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
    dependent: "announced",
  },
  cloud: { service: { hosting: "cloud", profile: "langsmith" }, deletes: true },
  fleet: { service: { hosting: "self-hosted" }, dependent: "together" },
  selfHosted: { service: { hosting: "self-hosted", profile: "langsmith" }, deletes: true },
  shards: { service: { hosting: "self-hosted" }, stack: "shard-1", dependent: "together" },
  stackPerRequest: {
    service: { hosting: "self-hosted", profile: "langsmith" },
    stack: "pr-12",
    dependent: "greeting",
    asked: /\/runs$/,
    deletes: true,
  },
  smokeTest: {
    service: { hosting: "self-hosted" },
    dependent: "greeting",
    asked: /\/runs$/,
  },
  repositories: {
    service: { hosting: "cloud" },
    prepare: (emulator) =>
      emulator.addRepositories(INTEGRATION, [
        { owner: "acme", name: "support-agent", default_branch: "trunk" },
        { owner: "acme", name: "another" },
      ]),
    looksUp: /\/repos$/,
  },
  tokenMetadata: {
    service: {},
    prepare: (emulator) => emulator.addToken({ id: TOKEN, owner: KEY }),
    leaves: [TOKEN],
  },
};

const surroundingsOf = (example: string): Surroundings => surroundings[example] as Surroundings;

test("this suite runs every example whose program declares dynamic resources", () => {
  expect(examplesOf((project) => !usesPlugin(project))).toEqual(Object.keys(surroundings).sort());
});

test("each example whose program uses the plugin is run by the test of the example's language", () => {
  expect(examplesOf(usesPlugin)).toEqual(["pluginTypescript", "python", "yaml"]);
  for (const example of examplesOf(usesPlugin)) {
    const file = path.join(__dirname, "..", "languages", `${example}.test.ts`);
    expect(readFileSync(file, "utf8")).toContain(`runs("${example}"`);
  }
});

test("every resource class is used by an example", () => {
  const programs = Object.keys(surroundings).map((example) =>
    readFileSync(path.join(EXAMPLES, example, "index.ts"), "utf8"),
  );
  const classes = Object.entries(sdk as Record<string, unknown>).filter(
    ([, value]) => typeof value === "function" && value.prototype instanceof pulumi.Resource,
  );
  const unused = classes.filter(([name]) => !programs.some((text) => text.includes(`new ${name}(`)));
  expect(classes.length).toBeGreaterThan(0);
  expect(unused.map(([name]) => name)).toEqual([]);
});

/** A short run tests only the quick start, with the quick start's project in the repository's root. */
test.each(isWhole ? Object.keys(surroundings) : ["quickstart"])(
  "the example %s runs as its README says: `pulumi up` twice, each edit, destroy",
  (example) =>
    runs(example, { ...surroundingsOf(example), ...(!isWhole && { folder: ROOT }) }, async (stack) => {
      // The state must have the source lines of our resources. Only a resource that an anonymous function declares may
      // lack a line, because the SDK finds no line for it.
      const ours = (await stack.recorded()).filter(({ type }) =>
        type.includes(":dynamic/deployment-control:"),
      );
      const positions = ours.flatMap(({ sourcePosition }) => sourcePosition ?? []);
      expect(positions.length).toBeGreaterThan(0);
      for (const position of positions)
        expect(position).toMatch(/^project:\/\/\/(examples\/quickstart\/)?index\.ts#\d+,\d+$/);
    }),
);

/** Declares a test that a short run skips. */
const it = isWhole ? test : () => undefined;

it("the self-hosted example also runs under the neutral profile, as its README says", async () => {
  const emulator = await started({ revisionSeconds: 0, apiKey: KEY, hosting: "self-hosted" });
  emulator.addListener({ compute_id: "production" });
  const stack = await stackOf(path.join(EXAMPLES, "selfHosted"), "selfHosted", emulator);
  await stack.set("deployment-control:profile", "contract", false);

  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\+ 3 created\n/);
  for (const [key, value] of [
    ["minScale", "3"],
    ["namespace", "elsewhere"],
  ] as const) {
    await stack.set(`selfHosted:${key}`, value, false);
    expect(await stack.run("up", "--yes")).toContain("updates in place, no new revision");
  }
  const [deployment] = emulator.deployments();
  expect([revisionsOn(emulator), emulator.deployments().length]).toEqual([1, 1]);
  expect(await stack.run("destroy", "--yes", "--skip-preview")).toContain(deployment?.id);
  expect(emulator.deployments()).toHaveLength(1);
});

it("if the integration cannot reach a repository, the preview fails and shows a list of the reachable repositories, but no stack trace", async () => {
  const emulator = await serviceFor(surroundingsOf("repositories"));
  const stack = await stackOf(path.join(EXAMPLES, "repositories"), "repositories", emulator);
  await stack.set("repositories:name", "nope", false);
  const refused = await stack.run("preview").then(String, String);
  expect(refused).toContain("The integration reaches no acme/nope, but: acme/support-agent, acme/another");
  expect(refused).not.toMatch(/^\s+at /m);
});
