/** The options of `deployment-control adopt`, one row each, for parsing and for the help. */
import { DEPLOYMENT_STATUSES } from "../../provider/schema/deployment";
import { choice, listOf, uuid } from "../../provider/schema/kind";
import { COMPARISON_FORMATS } from "../adopt/compare/show";
import { FORMATS } from "../adopt/write/project";
import { type CommandPage, checked, connectionRow, type FlagRow, type Flags, flagsIn } from "./page";

type Mode = "write" | "compare";

interface Row extends FlagRow {
  /** The only mode that accepts the option; undefined if every mode accepts it. */
  readonly only?: Mode;
}

const DEFAULT_FOLDER = "adopted";
const formatNames = Object.keys(FORMATS);
const comparisonNames = Object.keys(COMPARISON_FORMATS);

const rows = {
  out: {
    value: "FOLDER",
    help: `project folder (defaults to ${DEFAULT_FOLDER}); with --compare, the file for the table instead of standard output`,
  },
  format: {
    value: formatNames.join("|"),
    help: `what to write (defaults to ${formatNames[0]}); with --compare ${comparisonNames.join("|")}`,
  },
  name: { value: "GLOB", multiple: true, help: "only deployments with such a name; * and ? as in a shell" },
  status: {
    value: "STATUS,…",
    kind: listOf(choice(...DEPLOYMENT_STATUSES)),
    help: `only deployments with one of these statuses: ${DEPLOYMENT_STATUSES.join(", ")}`,
  },
  id: { value: "ID,…", kind: listOf(uuid), help: "only these deployments" },
  terraform: {
    value: "FILE",
    help: "only what Terraform manages, under Terraform's names and with its plain variables; FILE is the output of `terraform show -json`, `-` for standard input",
  },
  connection: connectionRow,
  check: {
    help: "previews the project, or the one already in the folder, with the `pulumi` on the PATH; fails with exit code 2 if the update would change something",
    only: "write",
  },
  compare: {
    help: "writes no project but a table of the differences between the account and the state of the stack; fails with exit code 2 if there are any",
  },
  stack: {
    value: "NAME",
    help: "the stack of the project in this folder to compare; defaults to the selected one",
    only: "compare",
  },
  state: {
    value: "FILE",
    multiple: true,
    help: "compares with the output of `pulumi stack export` in FILE, `-` for standard input; give several for an account with several stacks",
    only: "compare",
  },
} as const satisfies Readonly<Record<string, Row>>;

export type AdoptOptions = NonNullable<ReturnType<typeof readAdoptFlags>>;

/** Returns undefined for `--help`. For a bad option, throws an Error that says what is wrong and what is allowed. */
export function readAdoptFlags(args: readonly string[]) {
  const values = flagsIn(ADOPT_PAGE, args)?.values;
  if (values === undefined) return undefined;
  const mode: Mode = values.compare === true ? "compare" : "write";
  refuseIgnored(values, mode);
  const formats = mode === "compare" ? comparisonNames : formatNames;
  const { name: names = [], status: statuses = [], id: ids = [], state: states = [], ...options } = values;
  return {
    ...options,
    mode,
    format: checked("--format", choice(...formats), values.format ?? formats[0]),
    folder: values.out ?? DEFAULT_FOLDER,
    criteria: { names, statuses, ids },
    states,
  };
}

/** Throws an Error for an option that the mode would silently ignore. */
function refuseIgnored(values: Flags<typeof rows>, mode: Mode): void {
  if (values.check === true && values.format === "import-file")
    throw new Error(
      "--check: an import file is not a program; after the import, `pulumi preview` shows what changes",
    );
  if (values.connection !== undefined && values.format === "import-file")
    throw new Error("--connection: `pulumi import` reads over the default connection alone");
  const stray = Object.entries<Row>(rows).find(
    ([name, { only = mode }]) => values[name as keyof typeof rows] !== undefined && only !== mode,
  );
  if (stray === undefined) return;
  const [name] = stray;
  throw new Error(
    mode === "compare"
      ? `--${name}: cannot be combined with --compare`
      : `--${name}: works only with --compare`,
  );
}

export const ADOPT_PAGE = {
  name: "adopt",
  usage: "deployment-control adopt [OPTIONS]",
  about: [
    "Writes a Pulumi project for an account: each deployment is taken over unchanged, each listener is only read. Secrets are left alone. No file is overwritten.",
    "The settings are those of the environment and of the stack that is selected in this folder.",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "the project is written, the check found no change, or nothing differs" },
    {
      code: 1,
      when: "an option is bad, the service or Pulumi cannot be asked, a file is in the way, or the preview failed",
    },
    { code: 2, when: "--check: the update would change something; --compare: something differs" },
  ],
} as const satisfies CommandPage;
