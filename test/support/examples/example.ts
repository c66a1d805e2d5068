/** Runs an example as its README says: with the real CLI, in its own folder, with its own Pulumi.yaml. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { started } from "../embeddedService";
import { isWhole } from "../engine/size";
import { ProjectStack } from "./projectStack";
import { changesIn, settingsIn } from "./readme";

export const EXAMPLES = path.join(__dirname, "..", "..", "..", "examples");
/** The API key of the services that these tests start. */
export const KEY = "key-of-the-tests";

/** The service, the environment and the expectations of an example, except the expectations in its README. */
export interface Surroundings {
  readonly service: EmulatorOptions;
  readonly prepare?: (emulator: Emulator) => void;
  /** The name of a resource. An edit must change this resource if and only if the edit's README row names it. */
  readonly dependent?: string;
  /** A pattern for a request that the update after an edit sends if and only if the edit changes `dependent`. */
  readonly asked?: RegExp;
  /** A pattern for the requests of the example's look-ups, which every preview and every update sends. */
  readonly looksUp?: RegExp;
  /** The ids that the output of `destroy` must name; by default, the ids of all deployments. */
  readonly leaves?: readonly string[];
  /** Whether `destroy` deletes the deployments. */
  readonly deletes?: boolean;
  /** The example's folder, if it is not in examples/. */
  readonly folder?: string;
  /** The stack's name; by default, `test`. */
  readonly stack?: string;
  /** Environment variables for the example. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The folders of examples/ with a project file that satisfies the condition, sorted by name. */
export function examplesOf(isOne: (project: string) => boolean): string[] {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && readdirSync(path.join(EXAMPLES, entry.name)).includes("Pulumi.yaml"),
  );
  const project = (name: string) => readFileSync(path.join(EXAMPLES, name, "Pulumi.yaml"), "utf8");
  return folders
    .map(({ name }) => name)
    .filter((name) => isOne(project(name)))
    .sort();
}

/** Whether a project takes its resources from the plugin. */
export const usesPlugin = (project: string): boolean => /^plugins:/m.test(project);

/** Starts the service for the example. */
export async function serviceFor({ service, prepare }: Surroundings): Promise<Emulator> {
  const emulator = await started({ apiKey: KEY, ...service });
  prepare?.(emulator);
  return emulator;
}

/** A stack of the project in `folder`, set up by the commands of the example's README. */
export async function stackOf(
  folder: string,
  example: string,
  emulator: Emulator,
  environment: Readonly<Record<string, string>> = {},
  name?: string,
): Promise<ProjectStack> {
  const stack = await ProjectStack.of(folder, environment, name);
  const serviceVariables: Record<string, string> = {
    "deployment-control:baseUrl": emulator.url,
    "deployment-control:apiKey": KEY,
  };
  const settings = settingsIn(readme(example));
  await stack.setAll(
    settings.map(({ key, value, secret }) => ({
      key,
      value: serviceVariables[key] ?? value ?? "a value",
      secret,
    })),
  );
  return stack;
}

const readme = (example: string): string => readFileSync(path.join(EXAMPLES, example, "README.md"), "utf8");

export const revisionsOn = (emulator: Emulator): number =>
  emulator.deployments().reduce((sum, { revisions }) => sum + revisions.length, 0);

/** The requests to the service other than look-ups. */
const askedBeside = (emulator: Emulator, looksUp: RegExp | undefined) =>
  emulator.requests.filter((request) => !looksUp?.test(request.path));

/** Runs `pulumi up` twice, the README's edits, and a destroy. `created` checks the stack after the first run. */
export async function runs(
  example: string,
  surroundings: Surroundings,
  created: (stack: ProjectStack) => Promise<void> = async () => undefined,
): Promise<void> {
  const emulator = await serviceFor(surroundings);
  const { folder = path.join(EXAMPLES, example) } = surroundings;
  const before = readdirSync(folder);
  const stack = await stackOf(folder, example, emulator, surroundings.environment, surroundings.stack);

  expect(await stack.run("up", "--yes", "--skip-preview")).toContain("created");
  const deployed = emulator.deployments().map(({ id }) => id);
  const { looksUp, leaves = deployed } = surroundings;
  expect(leaves.length).toBeGreaterThan(0);
  await created(stack);

  emulator.requests.length = 0;
  expect(await stack.run("up", "--yes")).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(askedBeside(emulator, looksUp)).toEqual([]);

  const changes = changesIn(readme(example));
  expect(changes.length).toBeGreaterThanOrEqual(2);
  // A short run leaves out the last change, which changes a secret.
  for (const change of isWhole ? changes : changes.slice(0, 2))
    await follows(change, stack, emulator, surroundings);

  const destroyed = await stack.run("destroy", "--yes", "--skip-preview");
  for (const id of leaves) expect(destroyed).toContain(id);
  expect(emulator.deployments().map(({ id }) => id)).toEqual(surroundings.deletes ? [] : deployed);
  expect(readdirSync(folder)).toEqual(before);
}

/**
 * Makes an edit that the README describes. The plan must show the README's words and send only the requests of
 * look-ups. The update must make a revision unless these words say that the edit is made in place.
 */
async function follows(
  { setting, says }: ReturnType<typeof changesIn>[number],
  stack: ProjectStack,
  emulator: Emulator,
  { dependent, asked, looksUp }: Surroundings,
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
