/** Every example runs as its README says: with the real CLI, in its own folder, through its own Pulumi.yaml. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator/index";
import * as sdk from "../../sdk/index";
import { started } from "../sdk/emulator/emulating";
import { ProjectStack } from "./project";
import { changesIn, settingsIn } from "./readme";

const ROOT = path.join(__dirname, "..", "..");
const EXAMPLES = path.join(ROOT, "examples");
const KEY = "key-of-the-tests";

/** What an example needs of the service beyond its README's settings. */
interface Surroundings {
  readonly service: EmulatorOptions;
  readonly prepare?: (emulator: Emulator) => void;
  /** A resource that is to change exactly with those edits whose row in the README names it. */
  readonly dependent?: string;
  /** Requests of that resource: they are to come with those edits, and only with them. */
  readonly asked?: RegExp;
  /** Requests of its look-ups, which every preview and every up makes. */
  readonly looksUp?: RegExp;
  /** Ids of what destroying leaves, where those are no deployments. */
  readonly leaves?: readonly string[];
}

const INTEGRATION = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";
const TOKEN = "token-of-continuous-integration";

const surroundings: Readonly<Record<string, Surroundings>> = {
  quickstart: {
    service: { hosting: "self-hosted" },
    prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
    dependent: "announced",
  },
  cloud: { service: { hosting: "cloud" } },
  fleet: { service: { hosting: "self-hosted" }, dependent: "together" },
  selfHosted: {
    service: { hosting: "self-hosted" },
    prepare: (emulator) => emulator.addListener({ compute_id: "production" }),
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

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function serviceFor(example: string): Promise<Emulator> {
  const { service, prepare } = surroundings[example] as Surroundings;
  const emulator = await started({ apiKey: KEY, ...service });
  prepare?.(emulator);
  return emulator;
}

/** A stack of the project in `folder`, set up by the commands of the example's README. */
async function stackOf(folder: string, example: string, emulator: Emulator): Promise<ProjectStack> {
  const stack = await ProjectStack.of(folder);
  opened.push(stack);
  const own: Record<string, string> = {
    "deployment-control:baseUrl": emulator.url,
    "deployment-control:apiKey": KEY,
  };
  for (const { key, value, secret } of settingsIn(readme(example))) {
    await stack.set(key, own[key] ?? value ?? "a value", secret);
  }
  return stack;
}

const readme = (example: string): string => readFileSync(path.join(EXAMPLES, example, "README.md"), "utf8");

const revisionsOn = (emulator: Emulator): number =>
  emulator.deployments().reduce((sum, { revisions }) => sum + revisions.length, 0);

/** What was asked of the service beside look-ups. */
const askedBeside = (emulator: Emulator, looksUp: RegExp | undefined) =>
  emulator.requests.filter((request) => !looksUp?.test(request.path));

test("every folder of examples/ with a program is run here", () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && readdirSync(path.join(EXAMPLES, entry.name)).includes("Pulumi.yaml"),
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(surroundings).sort());
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

test.each(Object.keys(surroundings))(
  "%s: up, up again, the edits of its README, destroy",
  async (example) => {
    const emulator = await serviceFor(example);
    const folder = path.join(EXAMPLES, example);
    const before = readdirSync(folder);
    const stack = await stackOf(folder, example, emulator);

    expect(await stack.run("up", "--yes", "--skip-preview")).toContain("created");
    const deployed = emulator.deployments().map(({ id }) => id);
    const { looksUp, leaves = deployed } = surroundings[example] ?? {};
    expect(leaves.length).toBeGreaterThan(0);
    // The engine is told in which line of the program ours are declared; in a function without a name the SDK misses it.
    const ours = (await stack.recorded()).filter(({ type }) => type.includes(":dynamic/deployment-control:"));
    const positions = ours.flatMap(({ sourcePosition }) => sourcePosition ?? []);
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) expect(position).toMatch(/^project:\/\/\/index\.ts#\d+,\d+$/);

    emulator.requests.length = 0;
    expect(await stack.run("up", "--yes")).toMatch(/Resources:\n +\d+ unchanged\n/);
    expect(askedBeside(emulator, looksUp)).toEqual([]);

    const changes = changesIn(readme(example));
    expect(changes.length).toBeGreaterThanOrEqual(2);
    for (const change of changes) await follows(change, stack, emulator, surroundings[example] ?? {});

    const destroyed = await stack.run("destroy", "--yes", "--skip-preview");
    for (const id of leaves) expect(destroyed).toContain(id);
    expect(emulator.deployments().map(({ id }) => id)).toEqual(deployed);
    expect(readdirSync(folder)).toEqual(before);
  },
);

/** The plan says what the README says, without a request, and the service then does what the plan said. */
async function follows(
  { setting, says }: ReturnType<typeof changesIn>[number],
  stack: ProjectStack,
  emulator: Emulator,
  { dependent, asked, looksUp }: Partial<Surroundings>,
): Promise<void> {
  const before = revisionsOn(emulator);
  emulator.requests.length = 0;
  await stack.set(setting.key, setting.value ?? "another value", setting.secret);

  const plan = await stack.run("preview");
  expect(askedBeside(emulator, looksUp)).toEqual([]);
  for (const words of says) expect(plan).toContain(words);
  if (dependent) expect(plan.includes(dependent)).toBe(says.includes(dependent));

  await stack.run("up", "--yes", "--skip-preview");
  if (dependent && asked) {
    expect(emulator.requests.some((request) => asked.test(request.path))).toBe(says.includes(dependent));
  }
  const isInPlace = says.some((words) => words.includes("updates in place"));
  expect(revisionsOn(emulator) > before).toBe(!isInPlace);
}

test("the self-hosted example runs on the public service's own terms too, as its README says", async () => {
  const emulator = await started({
    revisionSeconds: 0,
    apiKey: KEY,
    hosting: "self-hosted",
    profile: "langsmith",
  });
  const stack = await stackOf(path.join(EXAMPLES, "selfHosted"), "selfHosted", emulator);
  await stack.set("deployment-control:profile", "langsmith", false);
  await stack.set("deployment-control:headers", JSON.stringify({ "X-Tenant-Id": "workspace" }), false);

  expect(await stack.run("up", "--yes", "--skip-preview")).toContain('listener "cluster": created');
  emulator.requests.length = 0;
  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(emulator.requests).toEqual([]);
  await stack.set("selfHosted:minScale", "3", false);
  expect(await stack.run("up", "--yes")).toContain(
    "creates a new revision (sourceConfig.resourceSpec.minScale 2 -> 3)",
  );
  expect(revisionsOn(emulator)).toBe(2);
  await stack.set("selfHosted:namespace", "elsewhere", false);
  expect(await stack.run("preview")).toContain("is replaced (sourceConfig.listenerConfig.k8sNamespace");
  await stack.run("destroy", "--yes", "--skip-preview");
  expect(emulator.deployments()).toEqual([]);
});

test("a repository that the integration does not reach ends the preview with those that it does, and no stack", async () => {
  const emulator = await serviceFor("repositories");
  const stack = await stackOf(path.join(EXAMPLES, "repositories"), "repositories", emulator);
  await stack.set("repositories:name", "nope", false);
  const refused = await stack.run("preview").then(String, String);
  expect(refused).toContain("The integration reaches no acme/nope, but: acme/support-agent, acme/another");
  expect(refused).not.toMatch(/^\s+at /m);
});

test("the project at the root runs the quick start, with the same settings", async () => {
  const emulator = await serviceFor("quickstart");
  const stack = await stackOf(ROOT, "quickstart", emulator);
  const plan = await stack.run("preview");
  for (const name of ["cluster", "chat", "research", "announced"]) expect(plan).toContain(` ${name} create`);
  expect(plan).toContain("5 to create");
});
