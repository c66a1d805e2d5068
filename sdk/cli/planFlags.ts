/** The options of `deployment-control plan`. */

import { PROFILES } from "../../provider/profiles/profiles";
import { choice, listOf, text } from "../../provider/schema/kind";
import { environmentName } from "../../provider/schema/naming";
import { entryNamed } from "../../provider/schema/value";
import { GATES, type Gate } from "../report/evaluate/gates";
import { type CommandPage, checked, type FlagRows, flagsIn } from "./page";

const FORMAT_NAMES = ["text", "markdown", "html", "json"] as const;

export type PlanOptions = NonNullable<ReturnType<typeof readPlanFlags>>;

const rows = {
  format: {
    kind: choice(...FORMAT_NAMES),
    help: "output format; defaults to that of the extension of --out, otherwise text",
  },
  out: { value: "FILE", help: "where to write it, instead of standard output" },
  "fail-on": {
    value: "GATE,…",
    kind: listOf(choice(...GATES)),
    help: `fails with exit code 2 if the plan does any of: ${GATES.join(", ")}. A replacement that deletes the old deployment counts as delete`,
  },
  allow: {
    value: "NAME,…",
    kind: listOf(text),
    help: "names in the program, or URNs, of resources that the gates let pass; if several resources of a stack share a name, use the URN",
  },
  expect: {
    value: "REPORT.json",
    help: "fails with exit code 2 if the plan, or the service that it goes to, is no longer the reviewed one, which --format json wrote to the file",
  },
  result: {
    value: "UP.json",
    multiple: true,
    help: "after the apply: compares planned with actual, from the events of `pulumi up --json`; exit code 2 if the plan was wrong. The events hold secrets in plaintext: pipe them in with --result -",
  },
} as const satisfies FlagRows;

/** Returns undefined for `--help`. For a bad option, throws an Error that says what is wrong and what is allowed. */
export function readPlanFlags(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const line = flagsIn(PLAN_PAGE, args, true);
  if (line === undefined) return undefined;
  const { values, positionals } = line;
  const files = positionals.length === 0 ? ["-"] : positionals;
  const { out, format = formatFor(out), allow = [], expect, result: results = [] } = values;
  refuseSecondRead([...files, ...results]);
  const failOn = gatesIn(values["fail-on"]);
  return { files, format, out, failOn, allow, expect, results, profile: profileIn(environment[PROFILE]) };
}

/** Standard input can be read only once. */
function refuseSecondRead(files: readonly string[]): void {
  if (files.filter((file) => file === "-").length < 2) return;
  throw new Error("standard input can be read once: pass the preview, or all results but one, as files");
}

const ENDINGS = { md: "markdown", html: "html", json: "json" } as const;

const formatFor = (out = ""): (typeof FORMAT_NAMES)[number] =>
  entryNamed(ENDINGS, out.split(".").at(-1)?.toLowerCase() ?? "") ?? "text";

/**
 * The gates of `--fail-on`. An empty value, such as an unset variable, is an error, because no gate would be checked.
 */
function gatesIn(gates: readonly Gate[] | undefined): Gate[] {
  if (gates?.length === 0) throw new Error(`--fail-on: is empty; allowed: ${GATES.join(", ")}`);
  return [...new Set(gates)];
}

const PROFILE = environmentName("profile");

function profileIn(name = ""): string | undefined {
  return name.trim() === "" ? undefined : checked(PROFILE, choice(...Object.keys(PROFILES)), name.trim());
}

export const PLAN_PAGE = {
  name: "plan",
  usage: "pulumi preview --json | deployment-control plan [OPTIONS] [FILE…]",
  about: [
    "Reports what a preview will do to each deployment: which get a new revision, which do not, and why.",
    `For a resource of which the preview holds no plan, the profile of its last plan counts, and the one that ${PROFILE} or the configuration names now.`,
    "Each FILE holds what `pulumi preview --json` printed for one stack; without one, standard input is read.",
    "`pulumi preview --json --show-sames` lists unchanged deployments too; `--show-replacement-steps` adds the deletions that replacements cause.",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "the report is made, and no gate fails" },
    {
      code: 1,
      when: "the input is bad; the preview failed, or lacks steps that it counts; or an option would make every update fail (the report is written anyway, and says what to do)",
    },
    {
      code: 2,
      when: "a gate of --fail-on fails, the plan is not the one that --expect names, or --result finds a prediction wrong",
    },
  ],
} as const satisfies CommandPage;
