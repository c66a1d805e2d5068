/** Every example runs as its README says: with the real CLI, in its own folder, through its own Pulumi.yaml. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/index";
import * as sdk from "../../sdk/index";
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
}

const surroundings: Readonly<Record<string, Surroundings>> = {
  quickstart: {
    service: { hosting: "self-hosted" },
    prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
    dependent: "announced",
  },
  cloud: { service: { hosting: "cloud" } },
};

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function serviceFor(example: string): Promise<Emulator> {
  const { service, prepare } = surroundings[example] as Surroundings;
  const emulator = await startEmulator({ revisionSeconds: 0, apiKey: KEY, ...service });
  opened.push(emulator);
  prepare?.(emulator);
  return emulator;
}

/** A stack of the project in `folder`, set up by the commands of the example's README. */
async function stackOf(folder: string, example: string, emulator: Emulator): Promise<ProjectStack> {
  const stack = await ProjectStack.of(folder);
  opened.push(stack);
  const own: Record<string, string> = {
    "deploymentControl:baseUrl": emulator.url,
    "deploymentControl:apiKey": KEY,
  };
  for (const { key, value, secret } of settingsIn(readme(example))) {
    await stack.set(key, own[key] ?? value ?? "a value", secret);
  }
  return stack;
}

const readme = (example: string): string => readFileSync(path.join(EXAMPLES, example, "README.md"), "utf8");

const revisionsOn = (emulator: Emulator): number =>
  emulator.deployments().reduce((sum, { revisions }) => sum + revisions.length, 0);

test("every folder of examples/ is run here", () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
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
    expect(deployed.length).toBeGreaterThan(0);

    emulator.requests.length = 0;
    expect(await stack.run("up", "--yes")).toMatch(/Resources:\n +\d+ unchanged\n/);
    expect(emulator.requests).toEqual([]);

    const changes = changesIn(readme(example));
    expect(changes.length).toBeGreaterThanOrEqual(2);
    for (const change of changes) await follows(change, stack, emulator, surroundings[example]?.dependent);

    const destroyed = await stack.run("destroy", "--yes", "--skip-preview");
    for (const id of deployed) expect(destroyed).toContain(id);
    expect(emulator.deployments().map(({ id }) => id)).toEqual(deployed);
    expect(readdirSync(folder)).toEqual(before);
  },
);

/** The plan says what the README says, without a request, and the service then does what the plan said. */
async function follows(
  { setting, says }: ReturnType<typeof changesIn>[number],
  stack: ProjectStack,
  emulator: Emulator,
  dependent: string | undefined,
): Promise<void> {
  const before = revisionsOn(emulator);
  emulator.requests.length = 0;
  await stack.set(setting.key, setting.value ?? "another value", setting.secret);

  const plan = await stack.run("preview");
  expect(emulator.requests).toEqual([]);
  for (const words of says) expect(plan).toContain(words);
  if (dependent) expect(plan.includes(dependent)).toBe(says.includes(dependent));

  await stack.run("up", "--yes", "--skip-preview");
  const isInPlace = says.some((words) => words.includes("no new revision"));
  expect(revisionsOn(emulator) > before).toBe(!isInPlace);
}

test("the project at the root runs the quick start, with the same settings", async () => {
  const emulator = await serviceFor("quickstart");
  const stack = await stackOf(ROOT, "quickstart", emulator);
  const plan = await stack.run("preview");
  for (const name of ["cluster", "chat", "research", "announced"]) expect(plan).toContain(` ${name} create`);
  expect(plan).toContain("5 to create");
});
