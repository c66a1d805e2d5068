/** The page of a resource. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Resource } from "../../../provider/call";
import { type Bound, contract } from "../../../provider/profiles/profile";
import { PROFILES } from "../../../provider/profiles/profiles";
import { allowed } from "../../../provider/schema/kind";
import { typeToken } from "../../../provider/schema/naming";
import { smokeTestQuestionRows } from "../../../provider/schema/smokeTest";
import type { Prose } from "../schema/prose";
import { token } from "../schema/types";
import { changeOf } from "./changes";
import { exampleUsing } from "./declarations";
import { type Column, FieldTables, initialColumn, newerNotes, type Placed } from "./fields";
import { code, page, table } from "./markdown";

const ROOT = join(__dirname, "../../..");
const programOf = (example: string): string => `examples/${example}/index.ts`;
const textOf = (example: string): string => readFileSync(join(ROOT, programOf(example)), "utf8");

/** The quick start comes first. */
const EXAMPLES = ["quickstart", ...readdirSync(join(ROOT, "examples"))].filter((example) =>
  existsSync(join(ROOT, programOf(example))),
);

/** These resources send nothing to the control API, so their rows have no change classes. */
const OWN_CHANGES: { readonly [resource: string]: (placed: Placed) => string | undefined } = {
  SmokeTest: ({ path }) =>
    Object.hasOwn(smokeTestQuestionRows, path.split(".")[0] as string) ? "runs the test again" : undefined,
  Rollout: ({ path }) =>
    path === "deployments" ? "waits again, where one is new or has a new revision" : undefined,
};

export function resourcePage(name: string, { rows, outputRows }: Resource, prose: Prose): string {
  const args = new FieldTables(
    prose,
    "argument",
    [initialColumn(defaultsOf(name)), changeColumn(name)],
    notesOf(name),
  );
  const answers = new FieldTables(prose, "output", [], ({ field }) => (field.nullable ? ["or null"] : []));
  return page(
    `# ${name}`,
    prose.ofExport(name),
    `Type ${code(typeToken(name))}; from the provider plugin, ${code(token(name))}.`,
    "## Example",
    ...examplesOf(name),
    "## Arguments",
    args.of(rows),
    name === "Deployment" ? sourceRules() : undefined,
    "## Outputs",
    "Every argument is an output too. The other outputs, besides `id`:",
    answers.of(outputRows),
  );
}

const changeColumn = (name: string): Column => ({
  head: "when changed",
  ofAll: (words) => `A change of any of these: ${words}.`,
  of: (placed) => OWN_CHANGES[name]?.(placed) ?? changeOf(placed),
});

/** An example on the page of a resource: its title, and a string that the example's statement must contain. */
interface Use {
  readonly title: string;
  readonly has: string;
}

const USES: { readonly [resource: string]: readonly Use[] } = {
  Deployment: [
    { title: "From an image, self-hosted", has: "imageUri" },
    { title: "From a repository", has: "repoUrl" },
  ],
};

const ANY: readonly Use[] = [{ title: "", has: "" }];

const examplesOf = (name: string): string[] =>
  (USES[name] ?? ANY).map(({ title, has }) => {
    const statement = `new ${name}(`;
    for (const example of EXAMPLES.filter((each) => textOf(each).includes(statement))) {
      const text = exampleUsing(programOf(example), statement);
      if (!text.includes(has)) continue;
      const place = `[examples/${example}](../../examples/${example}), which the tests apply`;
      return page(`${title === "" ? "From" : `${title}, in`} ${place}:`, `\`\`\`ts\n${text}\n\`\`\``).trim();
    }
    throw new Error(`no example in TypeScript declares a ${name} ${has}`);
  });

const notesOf = (name: string) => (placed: Placed) => [
  ...(placed.field.secret ? ["**secret**"] : []),
  ...(placed.field.patchOnly ? ["in updates only"] : []),
  ...(placed.field.afterCreation ? ["sent by a PATCH after the creation"] : []),
  ...(placed.path === "status" ? newerNotes(placed) : []),
  ...(name === "Deployment" ? [...lackedBy(placed), ...boundsOf(placed), ...rulesOf(placed)] : []),
];

const boundsOf = ({ path }: Placed): string[] =>
  Object.values(PROFILES).flatMap(({ name, bounds }) =>
    bounds[path] ? [`${name}: ${boundWords(bounds[path])}`] : [],
  );

/** Names the services that refuse the field because they lack it. */
const lackedBy = ({ path }: Placed): string[] =>
  Object.values(PROFILES).flatMap(({ name, lacks }) => (lacks.includes(path) ? [`${name}: refused`] : []));

/** The rules of each service for the field, in addition to its type. */
const rulesOf = ({ path }: Placed): string[] =>
  Object.values(PROFILES).flatMap(({ name, fields }) => {
    const { required, kind } = fields[path] ?? {};
    return [...(required ? [`${name}: required`] : []), ...(kind ? [`${name}: ${allowed(kind)}`] : [])];
  });

const boundWords = ({ minimum, maximum, decimals }: Bound): string =>
  `${minimum} to ${maximum}, ${decimals} decimal place${decimals === 1 ? "" : "s"}`;

/** The profile decides the default of a deployment's `onDestroy`. By default, a listener stays. */
const defaultsOf =
  (name: string) =>
  ({ path }: Placed): string | undefined => {
    if (path !== "onDestroy") return undefined;
    if (name !== "Deployment") return code('"retain"');
    return Object.values(PROFILES)
      .map((profile) => `${profile.name}: ${code(JSON.stringify(profile.onDestroy))}`)
      .join("; ");
  };

/** The section that says which arguments go with which source. */
function sourceRules(): string {
  const rules = Object.values(PROFILES).flatMap(({ name, sources }) => [
    ...Object.entries(sources.only).map(([path, rule]) => [
      name,
      code(path),
      "only with",
      codes(rule.sources),
    ]),
    ...Object.entries(sources.requiredOnCreate).map(([path, rule]) => [
      name,
      code(path),
      "required to create from",
      codes(rule.sources),
    ]),
    ...sources.conflicts.map(({ path, value, against, prefix }) => [
      name,
      code(path),
      `not ${code(String(value))} with`,
      `${code(against)} that begins with ${code(prefix)}`,
    ]),
  ]);
  const isShown = ([name, path]: readonly string[]) =>
    name === contract.name || !rules.some(([other, same]) => other === contract.name && same === path);
  return page(
    "### Arguments and sources",
    "Which arguments go with which `source` (or `revisionSource`, in updates) differs between services. The preview refuses what its profile does not have.",
    table(["profile", "argument", "rule", "source"], rules.filter(isShown)),
  ).trim();
}

const codes = (values: readonly string[]): string => values.map((value) => code(value)).join(", ");
