/** The options of the emulator's behaviour, one row each; types, checks and flags are derived from them. */
import { faultsIn, hiddenBy, type Manner } from "../../provider/fields/check";
import {
  boolean,
  choice,
  computed,
  decimal,
  type Field,
  integerFrom,
  type Kind,
  listOf,
  nonEmptyText,
  text,
} from "../../provider/fields/kind";
import type { ProfileName } from "../../provider/profiles/profiles";

/** `T` is the type of its value while the service runs; it includes undefined if there is no default. */
interface Row<T> extends Field<unknown, undefined> {
  readonly initial: T;
  /** One line for `--help`. */
  readonly help: string;
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

export const behaviourRows = {
  /** The key that callers must send, compared with the whole header: 401 without one, 403 with another. No key is needed unless given. */
  apiKey: optionalRow(nonEmptyText, "key that callers must send"),
  /** Header in which the key is sent; `X-Api-Key` unless given. */
  authHeader: row(nonEmptyText, "X-Api-Key", "header in which the key is sent"),
  /** Which sources exist: `cloud` has all but `external_docker`, `self-hosted` only that one; `any` unless given. */
  hosting: row(choice("any", "cloud", "self-hosted"), "any", "which sources exist"),
  /** Whether a section in a PATCH is to `merge` with the stored one (RFC 7386, arrays whole) or `replace` it, without its nulls. Other sections stay. `merge` unless given. */
  patch: row(choice("merge", "replace"), "merge", "what a section in a PATCH does to the stored one"),
  /** Whether `secrets` or `secret_references` in a PATCH make a revision; true unless given. */
  secretsMakeRevision: row(boolean, true, "secrets in a PATCH make a revision"),
  /** How answers show secrets: `masked` (`***`), `echoed`, `named` (null), or `hidden` (an empty list); `masked` unless given. */
  secretsInResponses: row(
    choice("masked", "echoed", "named", "hidden"),
    "masked",
    "how answers show secrets",
  ),
  /** Whether a repeated value in `source_revision_config` makes a revision; true unless given. */
  repeatedValuesMakeRevision: row(boolean, true, "a repeated value in a PATCH makes a revision"),
  /** Wire paths, such as `source_config.build_on_push`, that make a revision although the contract says otherwise. */
  extraRevisionOn: row(listOf(text), [], "further wire paths that make a revision"),
  /** Whether lists ignore their filters, apart from checking them; false unless given. */
  ignoreFilters: row(boolean, false, "lists ignore their filters"),
  /** Maximum number of entries on a page, whatever `limit` says; 100 unless given. */
  pageCap: row(integerFrom(1), 100, "maximum number of entries on a page"),
  /** Seconds from a revision's first status to its last, and for a deletion; 0: at once. 2 unless given. */
  revisionSeconds: row(decimal, 2, "seconds that a revision takes in all"),
  /** Statuses of a revision in order, the last one final; unless given, the usual ones (no build for images). */
  revisionStatuses: optionalRow(listOf(text), "statuses of a revision in order"),
  /** The status of an unfinished revision when a newer one is made; `INTERRUPTED` unless given. */
  superseded: row(
    choice("INTERRUPTED", "SKIPPED"),
    "INTERRUPTED",
    "what becomes of an unfinished revision when a newer one is made",
  ),
  /** Seconds that a run of the graph `wait` takes; 1 unless given. */
  runSeconds: row(decimal, 1, "seconds that a run of the graph wait takes"),
  /** Seconds for which a new deployment is AWAITING_DATABASE and has no revision yet; 0 unless given. */
  databaseSeconds: row(decimal, 0, "seconds for which a new deployment awaits its database"),
  /** Delay of every answer in milliseconds; 0 unless given. */
  latencyMs: row(decimal, 0, "milliseconds by which every answer is delayed"),
  /** Whether the service fills in defaults: parts of `resource_spec`, and `custom_url` of deployments from a repository. True unless given. */
  defaults: row(boolean, true, "the service fills in defaults of its own"),
  /** Whether a CPU value with two decimal places is `refused` with 422 or `rounded`, if the profile allows only one. `refused` unless given. */
  finerCpu: row(
    choice("refused", "rounded"),
    "refused",
    "what happens to a CPU value with two decimal places",
  ),
  /** Whether the workspace's plan includes listeners; if not, a profile that creates them answers 403. True unless given. */
  listenersAllowed: row(boolean, true, "the workspace may have listeners"),
  /** Whether the installation is older than the newest calls and values of its profile: it answers those with 405 or 422. False unless given. */
  older: row(boolean, false, "an installation without the profile's newest calls and values"),
  /** Whether a second deployment with the same name is refused with 409; false unless given. */
  uniqueNames: row(boolean, false, "a second deployment of one name is refused"),
} as const;

type BehaviourRows = typeof behaviourRows;

/** The options that can be changed at run time. Existing revisions keep their pace. */
export type EmulatorBehaviour = {
  -readonly [K in keyof BehaviourRows]: BehaviourRows[K] extends Row<infer T> ? T : never;
};

interface StartOptions {
  /** Port to listen on; 0, which is also the default, takes a free one. */
  port?: number;
  /** Address to listen on; `127.0.0.1` unless given. */
  host?: string;
  /** File that keeps the state across restarts, written before a change is answered; kept in memory only unless given. */
  data?: string;
  /** Which service to emulate; `contract` unless given. */
  profile?: ProfileName;
  /** Compute ids of listeners to install if the state lacks them; none unless given. */
  listeners?: readonly string[];
  /**
   * Called with one line for each request when it has ended: method, path, status, milliseconds. The line has no header,
   * query or body. Nothing is logged unless given.
   */
  log?: (line: string) => void;
}

/** The options of the emulator, all optional. */
export type EmulatorOptions = StartOptions & {
  [K in keyof EmulatorBehaviour]?: EmulatorBehaviour[K] | undefined;
};

const OPTIONS: Manner = { names: "an option" };

function initialOf(name: string): unknown {
  return structuredClone(behaviourRows[name as keyof BehaviourRows]?.initial);
}

/**
 * Changes some of the behaviour; null restores an option's default.
 *
 * Throws a TypeError that names the option and its allowed values.
 */
export function applyBehaviour(
  behaviour: EmulatorBehaviour,
  change: { readonly [name: string]: unknown },
): void {
  const options = Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === null ? initialOf(name) : value]),
  );
  const faults = faultsIn(behaviourRows, options, hiddenBy(["apiKey"]), OPTIONS);
  if (faults.length > 0)
    throw new TypeError(faults.map(({ path, words }) => `option ${path.join(".")}: ${words}`).join("; "));
  Object.assign(behaviour, options);
}

export function initialBehaviour(): EmulatorBehaviour {
  return Object.fromEntries(
    Object.keys(behaviourRows).map((name) => [name, initialOf(name)]),
  ) as EmulatorBehaviour;
}
