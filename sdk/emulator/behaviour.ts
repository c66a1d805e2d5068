/** The options of the embedded service, one row each. Types, checks, flags and help are derived from the rows. */

import { PROFILES, type ProfileName } from "../../provider/profiles/profiles";
import { faultsIn, hiddenBy, type Manner } from "../../provider/schema/check";
import {
  boolean,
  choice,
  computed,
  decimal,
  type Field,
  integer,
  integerFrom,
  type Kind,
  listOf,
  nonEmptyText,
  text,
} from "../../provider/schema/kind";

/** `T` is the type of the option's value while the service runs. */
interface Row<T> extends Field<unknown, undefined> {
  readonly initial: T;
  /** One line for `--help`. */
  readonly help: string;
  /** The placeholder for the flag's value. The default follows from `kind`. */
  readonly value?: string;
}

const row = <T>(kind: Kind<T>, initial: NoInfer<T>, help: string): Row<T> => ({
  ...computed(kind),
  initial,
  help,
});
const optionalRow = <T>(kind: Kind<T>, help: string): Row<T | undefined> => ({
  ...computed(kind),
  initial: undefined,
  help,
});

export const startRows = {
  /** Port to listen on; 0 (the default) takes a free port. */
  port: row<number>({ type: "integer", minimum: 0, maximum: 65535 }, 0, "port to listen on; 0: a free one"),
  /** Address to listen on; defaults to `127.0.0.1`. */
  host: row(nonEmptyText, "127.0.0.1", "address to listen on"),
  /**
   * File that keeps the state across restarts; defaults to memory only. The emulator writes the file before it answers
   * a change.
   */
  data: { ...optionalRow(nonEmptyText, "file in which the state is kept"), value: "FILE" },
  /** Compute ids of listeners to install if the state lacks them; defaults to none. */
  listeners: row(listOf(nonEmptyText), [], "compute ids of listeners to install, with commas between them"),
  /** Number of preview deployments to add at the start, for a profile that has them; defaults to 0. */
  previews: row(integer, 0, "number of preview deployments to add at the start"),
  /** Which service to emulate; defaults to `contract`. */
  profile: row(choice(...(Object.keys(PROFILES) as ProfileName[])), "contract", "which service to be"),
} as const;

export const behaviourRows = {
  /**
   * The key that callers must send, as the whole value of the header; defaults to no key. The answer to a missing key
   * is 401; the answer to a wrong key is 403.
   */
  apiKey: optionalRow(nonEmptyText, "key that callers must send"),
  /** Header in which the key is sent; defaults to `X-Api-Key`. */
  authHeader: row(nonEmptyText, "X-Api-Key", "header in which the key is sent"),
  /**
   * Which sources exist: `cloud` has all except `external_docker`, `self-hosted` has only `external_docker`, and `any`
   * has all; defaults to `any`.
   */
  hosting: row(choice("any", "cloud", "self-hosted"), "any", "which sources exist"),
  /**
   * How a PATCH changes a stored section: `merge` merges the PATCH's section into the stored section by RFC 7386;
   * `replace` stores the PATCH's section, without nulls, in place of the stored section. Omitted sections stay
   * unchanged. Defaults to `merge`.
   */
  patch: row(choice("merge", "replace"), "merge", "how a section in a PATCH changes the stored section"),
  /** Whether `secrets` or `secret_references` in a PATCH make a revision; defaults to true. */
  secretsMakeRevision: row(boolean, true, "secrets in a PATCH make a revision"),
  /** How answers show secrets: `masked` (`***`), `echoed`, `named` (null), or `hidden` (an empty list); defaults to `masked`. */
  secretsInResponses: row(
    choice("masked", "echoed", "named", "hidden"),
    "masked",
    "how answers show secrets",
  ),
  /** Whether a PATCH that repeats a stored value of `source_revision_config` makes a revision; defaults to true. */
  repeatedValuesMakeRevision: row(boolean, true, "a repeated value in a PATCH makes a revision"),
  /** Wire paths, such as `source_config.build_on_push`, where a change makes a revision, contrary to the contract. */
  extraRevisionOn: row(listOf(text), [], "further wire paths that make a revision"),
  /**
   * Whether a list call checks its filters but does not apply them, and so returns entries that the filters exclude;
   * defaults to false.
   */
  ignoreFilters: row(boolean, false, "lists ignore their filters"),
  /** Maximum number of entries on a page, whatever `limit` says; defaults to 100. */
  pageCap: row(integerFrom(1), 100, "maximum number of entries on a page"),
  /** Seconds from a revision's first status to its last, and from a deletion's start to its end; defaults to 2. */
  revisionSeconds: row(decimal, 2, "seconds that a revision takes in all"),
  /** Statuses of a revision, in order; defaults to the usual statuses (for an image, without the build statuses). */
  revisionStatuses: optionalRow(listOf(text), "statuses of a revision in order"),
  /** Log lines of the step in which a revision failed. If there is no log, the answer is 404. Defaults to no log. */
  failureLog: row(listOf(text), [], "lines of the log of a failed build or deployment"),
  /** Seconds that a run of the graph `wait` takes; defaults to 1. */
  runSeconds: row(decimal, 1, "seconds that a run of the graph wait takes"),
  /** Seconds for which a new deployment is AWAITING_DATABASE and has no revision yet; defaults to 0. */
  databaseSeconds: row(decimal, 0, "seconds for which a new deployment awaits its database"),
  /** Delay of every answer in milliseconds; defaults to 0. */
  latencyMs: row(decimal, 0, "milliseconds by which every answer is delayed"),
  /** Whether the service fills in defaults in `resource_spec` and, for a repository, `custom_url`. Defaults to true. */
  defaults: row(boolean, true, "the service fills in defaults of its own"),
  /**
   * How the service treats a CPU value with more decimal places than the profile allows: `refused` (with 422) or
   * `rounded`. Defaults to `refused`.
   */
  finerCpu: row(
    choice("refused", "rounded"),
    "refused",
    "what happens to a CPU value with two decimal places",
  ),
  /**
   * Whether the installation lacks its profile's newest calls and values. A request that uses one of them gets a 405
   * or 422. Defaults to false.
   */
  older: row(boolean, false, "an installation that lacks the profile's newest calls and values"),
} as const;

type ValuesOf<R> = { -readonly [K in keyof R]: R[K] extends Row<infer T> ? T : never };

/** The options that can be changed at run time. A new `revisionSeconds` applies only to later revisions. */
export type EmulatorBehaviour = ValuesOf<typeof behaviourRows>;

interface LogOption {
  /**
   * Called at the end of each request with one line: method, path, status and milliseconds, but no header, query or
   * body; defaults to no log.
   */
  log?: (line: string) => void;
}

type AllOptions = ValuesOf<typeof startRows> & EmulatorBehaviour;

/** The options of the embedded service, all optional. */
export type EmulatorOptions = LogOption & { [K in keyof AllOptions]?: AllOptions[K] | undefined };

const OPTIONS: Manner = { names: "an option" };

/** Throws a TypeError for a bad option. The message names the option and its allowed values. */
export function optionsFrom<R extends { readonly [name: string]: Row<unknown> }>(
  rows: R,
  options: { readonly [name: string]: unknown },
): ValuesOf<R> {
  const setOptions = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const faults = faultsIn(rows, setOptions, hiddenBy(["apiKey"]), OPTIONS);
  if (faults.length > 0)
    throw new TypeError(faults.map(({ path, words }) => `option ${path.join(".")}: ${words}`).join("; "));
  const defaults = Object.entries(rows).map(([name, { initial }]) => [name, structuredClone(initial)]);
  return { ...Object.fromEntries(defaults), ...setOptions };
}
