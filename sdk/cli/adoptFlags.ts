/** The options of `deployment-control adopt`: one row each, from which the check and the help are derived. */
import { parseArgs } from "node:util";
import { DEPLOYMENT_STATUSES } from "../../provider/fields/deployment";
import { isUuid } from "../../provider/fields/value";
import { COMPARISON_FORMATS } from "../adopt/compare/show";
import type { Wanted } from "../adopt/read/selection";
import { FORMATS } from "../adopt/write/project";
import { type CommandPage, helpOf } from "./page";

type Mode = "write" | "check" | "compare";

interface Row {
  /** What stands for its value; a switch has none. */
  readonly value?: string;
  readonly multiple?: true;
  readonly help: string;
  /** The modes that take it; all unless given. */
  readonly modes?: readonly Mode[];
}

const DEFAULT_FOLDER = "adopted";
const formatNames = Object.keys(FORMATS);
const comparisonNames = Object.keys(COMPARISON_FORMATS);

const rows = {
  out: {
    value: "FOLDER",
    help: `folder of the project (${DEFAULT_FOLDER} unless given); of --compare the file of the table, instead of standard output`,
  },
  format: {
    value: formatNames.join("|"),
    help: `what to write (${formatNames[0]} unless given); of --compare ${comparisonNames.join("|")}`,
    modes: ["write", "compare"],
  },
  name: { value: "GLOB", multiple: true, help: "only deployments of such a name; * and ? as in a shell" },
  status: {
    value: "STATUS,…",
    multiple: true,
    help: `only deployments of such a status: ${DEPLOYMENT_STATUSES.join(", ")}`,
  },
  id: { value: "ID,…", multiple: true, help: "only these deployments" },
  terraform: {
    value: "FILE",
    help: "only what Terraform manages, by its names: what `terraform show -json` has printed, `-` for standard input",
  },
  connection: { value: "NAME", help: "which of the configured connections; the default one unless given" },
  check: {
    help: "previews what was written, or what the folder has already, with the `pulumi` of the PATH; fails with exit code 2 where the up would change something",
    modes: ["write", "check"],
  },
  compare: {
    help: "writes no project, but a table of what differs between the account and the state of the stack; fails with exit code 2 where something does",
    modes: ["compare"],
  },
  stack: {
    value: "NAME",
    help: "the stack to compare, of the project in this folder; the selected one unless given",
    modes: ["compare"],
  },
  state: {
    value: "FILE",
    multiple: true,
    help: "compares with what `pulumi stack export` has printed, `-` for standard input; several where an account has several stacks",
    modes: ["compare"],
  },
} as const satisfies Readonly<Record<string, Row>>;

export interface AdoptOptions {
  readonly mode: "write" | "compare";
  readonly checks: boolean;
  readonly format: string;
  readonly out: string | undefined;
  readonly folder: string;
  readonly wanted: Omit<Wanted, "terraform">;
  readonly terraform: string | undefined;
  readonly connection: string | undefined;
  readonly stack: string | undefined;
  readonly states: readonly string[];
}

/** Throws an Error that names what is wrong and what is allowed. */
export function readAdoptFlags(args: readonly string[]): AdoptOptions | "help" {
  const values = parsed(args);
  if (values.help === true) return "help";
  const mode = values.compare === true ? "compare" : "write";
  refuseOthers(values, mode);
  const formats = mode === "compare" ? comparisonNames : formatNames;
  const [names, statuses, ids] = [values.name ?? [], listed(values.status), listed(values.id)];
  const stranger = ids.find((id) => !isUuid(id));
  if (stranger !== undefined)
    throw new Error(`--id: got ${JSON.stringify(stranger)}; allowed: ids, with commas between them`);
  return {
    mode,
    checks: values.check === true,
    format: oneOf("--format", values.format ?? (formats[0] as string), formats),
    out: values.out,
    folder: values.out ?? DEFAULT_FOLDER,
    wanted: {
      names,
      statuses: statuses.map((status) => oneOf("--status", status, DEPLOYMENT_STATUSES)),
      ids,
    },
    terraform: values.terraform,
    connection: values.connection,
    stack: values.stack,
    states: values.state ?? [],
  };
}

interface Values {
  readonly [name: string]: unknown;
  readonly help?: boolean;
  readonly check?: boolean;
  readonly compare?: boolean;
  readonly out?: string;
  readonly format?: string;
  readonly name?: string[];
  readonly status?: string[];
  readonly id?: string[];
  readonly terraform?: string;
  readonly connection?: string;
  readonly stack?: string;
  readonly state?: string[];
}

function parsed(args: readonly string[]): Values {
  const options = Object.entries<Row>(rows).map(([name, { value, multiple = false }]) => [
    name,
    { type: value === undefined ? "boolean" : "string", multiple },
  ]);
  const help = { type: "boolean", short: "h" } as const;
  try {
    return parseArgs({ args: [...args], options: { ...Object.fromEntries(options), help } }).values;
  } catch (error) {
    const words = (error as Error).message.split(". ")[0];
    throw new Error(`${words}; see deployment-control adopt --help`);
  }
}

/** What would be ignored without a word. */
function refuseOthers(values: Values, mode: Mode): void {
  if (values.check === true && values.format === "import-file")
    throw new Error(
      "--check: an import file is no program; after the import, `pulumi preview` shows what changes",
    );
  if (values.connection !== undefined && values.format === "import-file")
    throw new Error("--connection: `pulumi import` reads over the default connection alone");
  const stray = Object.entries<Row>(rows).find(
    ([name, { modes }]) => values[name] !== undefined && modes !== undefined && !modes.includes(mode),
  );
  if (stray === undefined) return;
  const [name] = stray;
  throw new Error(
    mode === "compare" ? `--${name}: does not go with --compare` : `--${name}: goes with --compare alone`,
  );
}

function listed(values: readonly string[] | undefined): string[] {
  const parts = (values ?? []).flatMap((value) => value.split(","));
  return parts.map((value) => value.trim()).filter((value) => value !== "");
}

function oneOf<const V extends string>(option: string, value: string, allowed: readonly V[]): V {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new Error(`${option}: got ${JSON.stringify(value)}; allowed: ${allowed.join(", ")}`);
}

export const ADOPT_PAGE: CommandPage = {
  name: "adopt",
  usage: "deployment-control adopt [OPTIONS]",
  about: [
    "Writes a Pulumi project of what an account has: one resource for each deployment, which takes it over as it is, and one for each listener, which is read. Secrets are left alone. No file is overwritten.",
    "The service is that of the environment: DEPLOYMENT_CONTROL_BASE_URL, DEPLOYMENT_CONTROL_API_KEY and the other settings by those names.",
  ],
  options: Object.entries<Row>(rows).map(([name, { value, help }]) => ({
    flag: value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  })),
  exitCodes: [
    { code: 0, when: "it is written, the check found no change, or nothing differs" },
    {
      code: 1,
      when: "an option is bad, the service or Pulumi cannot be asked, a file is in the way, or the preview failed",
    },
    { code: 2, when: "--check: the up would change something; --compare: something differs" },
  ],
};

export const adoptHelp = (): string => helpOf(ADOPT_PAGE);
