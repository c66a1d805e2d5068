/**
 * Checks that the changelog announces each change that breaks programs, scripts or readers of the last release.
 * `RECORD_SURFACE=1` records the surface of the version in package.json, as a part of its release.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { version } from "../../package.json";
import { CURRENT_SCHEMA, HIDDEN_PROPERTIES } from "../../provider/engine/schema";
import { DEPLOYMENT_STATUSES } from "../../provider/schema/deployment";
import { configurationRows } from "../../provider/schema/settings";
import { COMPARISON_FORMATS } from "../../sdk/adopt/compare/show";
import { flagText } from "../../sdk/cli/page";
import { GATES } from "../../sdk/report/evaluate/gates";
import { COMMANDS } from "../../tools/docs/reference/commands";
import { breaksBetween, nameOf, unannounced } from "./breaks";
import {
  type Surface,
  surfaceOfCommand,
  surfaceOfReports,
  surfaceOfSchema,
  surfaceOfSettings,
  surfaceOfStates,
} from "./surface";

const ROOT = path.join(__dirname, "../..");
const json = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));

/** The choices of each flag whose help text does not list them. */
const CHOICES = {
  "plan --fail-on": GATES,
  "adopt --status": DEPLOYMENT_STATUSES,
  "adopt --format": Object.keys(COMPARISON_FORMATS),
};

// biome-ignore lint/suspicious/noExplicitAny: an edit can change any place in the documents.
type Loose = any;
const documents = (): Loose => ({
  schema: json("provider/schema.json"),
  settings: structuredClone(configurationRows),
  report: json("sdk/report/report.schema.json"),
  commands: COMMANDS.map(({ name, usage, rows }) => {
    const options = Object.entries(rows).map(([flag, row]) => ({ flag: flagText(flag, row) }));
    return { name, usage, options };
  }),
  choices: structuredClone(CHOICES),
  stateVersion: CURRENT_SCHEMA,
  hidden: [...HIDDEN_PROPERTIES],
});

function surfaceOf({ schema, settings, report, commands, choices, stateVersion, hidden }: Loose): Surface {
  return {
    ...surfaceOfSchema(schema),
    ...surfaceOfSettings(schema, settings),
    ...surfaceOfReports(report),
    ...surfaceOfStates(stateVersion, hidden),
    ...Object.assign({}, ...commands.map((each: Loose) => surfaceOfCommand(each, choices))),
  };
}

const today = surfaceOf(documents());

test("the changelog names each breaking change since the last release, and marks it **Breaking**", () => {
  const recording = path.join(__dirname, "surface.json");
  if (process.env.RECORD_SURFACE)
    writeFileSync(recording, `${JSON.stringify({ version, surface: today }, null, 2)}\n`);
  // Before the first release there is no recording, and a change breaks nothing.
  const released = existsSync(recording) ? JSON.parse(readFileSync(recording, "utf8")).surface : {};
  const [, unreleased = ""] = readFileSync(path.join(ROOT, "CHANGELOG.md"), "utf8").split(/^## .*$/m);
  expect(Object.keys(today).length).toBeGreaterThan(100);
  expect(unannounced(breaksBetween(released, today), unreleased)).toEqual([]);
});

type Edit = (all: Loose) => void;
const breaksOf = (edit: Edit): string[] => {
  const all = documents();
  edit(all);
  return breaksBetween(today, surfaceOf(all));
};
const resource = ({ schema }: Loose, name: string) => schema.resources[`deployment-control:index:${name}`];
const type = ({ schema }: Loose, name: string) => schema.types[`deployment-control:index:${name}`];
const command = ({ commands }: Loose, wanted: string) =>
  commands.find(({ name }: Loose) => name === wanted) as Loose;

test.each<[name: string, change: string, edit: Edit]>([
  [
    "Deployment.displayName",
    "removed",
    (all) => delete resource(all, "Deployment").inputProperties.displayName,
  ],
  [
    "Deployment.region",
    "new, required",
    (all) => {
      resource(all, "Deployment").inputProperties.region = { type: "string" };
      resource(all, "Deployment").requiredInputs.push("region");
    },
  ],
  [
    "Deployment.secrets",
    "was map of string, is list of string",
    (all) => {
      resource(all, "Deployment").inputProperties.secrets = { type: "array", items: { type: "string" } };
    },
  ],
  [
    "deployment-control:profile",
    "takes only some values now",
    ({ settings }) => {
      settings.profile = { kind: { type: "choice", values: ["contract"] } };
    },
  ],
  [
    "recover --stack",
    "now required",
    (all) => {
      command(all, "recover").usage = "deployment-control recover --stack NAME [OPTIONS]";
    },
  ],
])("an edit is reported as exactly one breaking change: %s (%s)", (name, change, edit) => {
  const breaks = breaksOf(edit);
  expect(breaks.map((each) => each.slice(each.indexOf(": ") + 2))).toEqual([change]);
  expect(breaks.map((each) => nameOf(each.slice(0, each.indexOf(": "))))).toEqual([name]);
});

test("additions and dropped requirements break nothing", () => {
  const breaks = breaksOf((all) => {
    resource(all, "Deployment").inputProperties.region = { type: "string" };
    resource(all, "Deployment").requiredInputs = ["name"];
    resource(all, "Deployment").required.push("url");
    type(all, "DeploymentSource").enum.push({ value: "zip" });
    all.schema.resources["deployment-control:index:Team"] = {
      inputProperties: { name: { type: "string" } },
      requiredInputs: ["name"],
    };
    all.settings.baseUrl.required = false;
    command(all, "plan").options.push({ flag: "--quiet" });
    command(all, "rollback").usage = "deployment-control rollback [OPTIONS]";
    all.commands.push({ name: "new", usage: "new --to ID", options: [{ flag: "--to ID" }] });
    all.report.$defs.report.properties.project = { type: "string" };
    all.hidden.push("__new");
  });
  expect(breaks).toEqual([]);
});

test("a changelog entry announces a breaking change only if it begins with **Breaking** and gives the whole name of the changed place", () => {
  const breaks = ["Deployment input name: removed"];
  expect(unannounced(breaks, "\n- **Breaking**: `Deployment.name` is gone.\n")).toEqual([]);
  for (const entries of [
    "",
    "- `Deployment.name` is gone.",
    "- **Breaking**: faster.\n- `Deployment.name` is gone.",
    "- **Breaking**: faster.\n\n### About `Deployment.name`",
    "- **Breaking**: `Listener.name` and `name` are gone.",
  ])
    expect(unannounced(breaks, `\n${entries}\n`)).toEqual([
      'Deployment input name: removed; keep it, or write an entry "- **Breaking** …" with `Deployment.name`',
    ]);
});
