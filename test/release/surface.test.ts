/** The public surface of the last release stays: the changelog names what takes something away from it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { version } from "../../package.json";
import { breakingChanges, unannounced } from "../../tools/release/surface/breaking";
import { type Surface, surfaceOf, today } from "../../tools/release/surface/today";

const ROOT = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const recorded: Surface & { readonly version: string } = JSON.parse(textOf("test/release/surface.json"));
const sources = today();

test("the changelog names each breaking change since the last release", () => {
  expect(unannounced(recorded, surfaceOf(sources), textOf("CHANGELOG.md"))).toEqual([]);
});

test("the recorded surface is that of the last release", () => {
  expect(recorded.version).toBe(version);
});

// biome-ignore lint/suspicious/noExplicitAny: an edit reaches anywhere into the documents.
type Loose = any;
type Edit = (documents: Loose) => void;

/** The surface of today's sources after an edit. */
function after(edit: Edit): Surface {
  const copy = structuredClone({ ...sources, commands: JSON.parse(JSON.stringify(sources.commands)) });
  edit(copy);
  return surfaceOf(copy);
}

const deployment = ({ schema }: Loose): Loose => schema.resources["deployment-control:index:Deployment"];
const typeOf = ({ schema }: Loose, name: string): Loose => schema.types[`deployment-control:index:${name}`];
const functionOf = ({ schema }: Loose, name: string): Loose =>
  schema.functions[`deployment-control:index:${name}`];
const optionsOf = ({ commands }: Loose, command: string): Loose[] =>
  commands.find(({ name }: Loose) => name === command).options;

function rename(properties: Loose, from: string, to: string): void {
  properties[to] = properties[from];
  delete properties[from];
}

const BREAKING: readonly (readonly [change: string, edit: Edit])[] = [
  [
    "Deployment.displayName is removed",
    (all) => rename(deployment(all).inputProperties, "displayName", "shownName"),
  ],
  ["Deployment.onDestroy is required now", (all) => deployment(all).requiredInputs.push("onDestroy")],
  [
    "Deployment.region is required now",
    (all) => {
      deployment(all).inputProperties.region = { type: "string" };
      deployment(all).requiredInputs.push("region");
    },
  ],
  [
    "Deployment.secrets was map of string and is list of string",
    (all) => {
      deployment(all).inputProperties.secrets = { type: "array", items: { type: "string" } };
    },
  ],
  [
    "Deployment.rolloutState may be left out now",
    (all) => {
      deployment(all).required = deployment(all).required.filter((name: string) => name !== "rolloutState");
    },
  ],
  ["DeploymentSource.internal_docker is removed", (all) => typeOf(all, "DeploymentSource").enum.splice(2, 1)],
  ["DeploymentVolume.name is removed", (all) => delete typeOf(all, "DeploymentVolume").properties.name],
  [
    "getDeployments.imageVersion is removed",
    (all) => delete functionOf(all, "getDeployments").inputs.properties.imageVersion,
  ],
  [
    "FoundDeployment.name is removed",
    (all) => rename(typeOf(all, "FoundDeployment").properties, "name", "title"),
  ],
  ["config.maxRetries is removed", ({ schema }) => delete schema.config.variables.maxRetries],
  [
    "config.adopt was string and is boolean",
    ({ schema }) => {
      schema.config.variables.adopt.type = "boolean";
    },
  ],
  ["plan --fail-on is removed", (all) => optionsOf(all, "plan").splice(2, 1)],
  [
    "plan --format html is removed",
    (all) => {
      optionsOf(all, "plan")[0].flag = "--format text|markdown|json";
    },
  ],
  [
    "recover --check was switch and is option with a value",
    (all) => {
      for (const option of optionsOf(all, "recover"))
        option.flag = option.flag.replace("--check", "--check MODE");
    },
  ],
  [
    "emulator --no-log is removed",
    (all) => {
      for (const option of optionsOf(all, "emulator")) option.flag = option.flag.replace("[no-]log", "log");
    },
  ],
  ["reap is removed", ({ commands }) => commands.splice(6, 1)],
  ["report.stack is removed", ({ report }) => rename(report.$defs.report.properties, "stack", "name")],
  [
    "report.deployments.reasons.path was string and is list of string",
    ({ report }) => {
      const { reasons } = report.$defs.report.properties.deployments.items.properties;
      reasons.items.properties.path = { type: "array", items: { type: "string" } };
    },
  ],
  ["result.right may be left out now", ({ report }) => report.$defs.result.required.splice(3, 1)],
  [
    "report.schemaVersion was 1 and is 2",
    ({ report }) => {
      report.$defs.report.properties.schemaVersion.const = 2;
    },
  ],
  [
    "__schemaVersion was version 1 and is version 2",
    (all) => {
      all.stateVersion += 1;
    },
  ],
];

const before = surfaceOf(sources);
const said = (surface: Surface): string[] =>
  breakingChanges(before, surface).map(({ name, change }) => `${name} ${change}`);

test.each(BREAKING)("%s: the change is seen, once and nothing else", (change, edit) => {
  expect(said(after(edit))).toEqual([change]);
});

test("with a resource go the types that nothing else has, each with its name; its properties are not listed", () => {
  const surface = after(({ schema }) => delete schema.resources["deployment-control:index:Listener"]);
  expect(said(surface)).toEqual([
    "Listener is removed",
    "ListenerComputeType is removed",
    "ListenerComputeConfig is removed",
    "ListenerOnDestroy is removed",
  ]);
});

test("what is added or loosened breaks nothing", () => {
  const surface = after((all) => {
    deployment(all).inputProperties.region = { type: "string" };
    deployment(all).requiredInputs = ["name"];
    typeOf(all, "DeploymentSource").enum.push({ value: "zip" });
    all.schema.resources["deployment-control:index:Team"] = {
      inputProperties: { name: { type: "string" } },
      requiredInputs: ["name"],
    };
    optionsOf(all, "plan").push({ flag: "--quiet" });
    all.report.$defs.report.properties.project = { type: "string" };
    all.report.$defs.report.required.push("project");
  });
  expect(surface).not.toEqual(before);
  expect(said(surface)).toEqual([]);
});

const REMOVAL = after((all) => delete deployment(all).inputProperties.displayName);
const changelog = (unreleased: string): string =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [0.1.0] - 2026-01-31\n\n- **Breaking:** \`Deployment.displayName\`.\n`;

test("an unreleased entry under the marker with the property's name allows its change", () => {
  const entry = "### Changed\n\n- Faster.\n- **Breaking:** there is no\n  `Deployment.displayName` any more.";
  expect(unannounced(before, REMOVAL, changelog(entry))).toEqual([]);
});

test.each([
  ["in no unreleased entry", ""],
  ["without the marker", "- There is no `Deployment.displayName` any more."],
  ["below an entry with the marker", "- **Breaking:** faster.\n- There is no `Deployment.displayName`."],
  ["below a heading", "- **Breaking:** faster.\n\n### About `Deployment.displayName`"],
  ["as a part of another name", "- **Breaking:** there is no `Deployment.displayNames` any more."],
])("a name %s allows nothing, and the message says what to write", (_place, entry) => {
  expect(unannounced(before, REMOVAL, changelog(entry))).toEqual([
    'Deployment.displayName is removed: keep it, or write under [Unreleased] in CHANGELOG.md an entry "- **Breaking:** …" with `Deployment.displayName` in it',
  ]);
});
