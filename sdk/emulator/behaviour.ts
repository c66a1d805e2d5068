/** The options of the emulator's behaviour: one row each, from which types, checks and flags are derived. */
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

/** `T` is what its value is while the service runs, undefined where none need be given. */
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
  /** The key that callers must send: 401 without one, 403 with another. Compared with the whole value of the header. No key is needed unless given. */
  apiKey: optionalRow(nonEmptyText, "key that callers must send"),
  /** Header in which the key is sent; `X-Api-Key` unless given. */
  authHeader: row(nonEmptyText, "X-Api-Key", "header in which the key is sent"),
  /** Which sources exist: `cloud` has all but `external_docker`, `self-hosted` only that one; `any` unless given. */
  hosting: row(choice("any", "cloud", "self-hosted"), "any", "which sources exist"),
  /** What a section in a PATCH does: `merge` (RFC 7386, arrays whole), or `replace` the stored section, nulls inside dropped. Sections not given stay. `merge` unless given. */
  patch: row(choice("merge", "replace"), "merge", "what a section in a PATCH does to the stored one"),
  /** Whether `secrets` or `secret_references` in a PATCH make a revision; true unless given. */
  secretsMakeRevision: row(boolean, true, "secrets in a PATCH make a revision"),
  /** How answers show secrets: `masked` (`***`), `echoed`, or `hidden` (an empty list); `masked` unless given. */
  secretsInResponses: row(choice("masked", "echoed", "hidden"), "masked", "how answers show secrets"),
  /** Whether a repeated value in `source_revision_config` makes a revision; true unless given. */
  repeatedValuesMakeRevision: row(boolean, true, "a repeated value in a PATCH makes a revision"),
  /** Wire paths, such as `source_config.build_on_push`, that make a revision although the contract says that they do not. */
  extraRevisionOn: row(listOf(text), [], "further wire paths that make a revision"),
  /** Whether lists ignore their filters (they are still checked); false unless given. */
  ignoreFilters: row(boolean, false, "lists ignore their filters"),
  /** The most that a page holds, whatever `limit` says; 100 unless given. */
  pageCap: row(integerFrom(1), 100, "the most that a page holds"),
  /** Seconds from a revision's first status to its last, and that a deletion takes; 0: at once. 2 unless given. */
  revisionSeconds: row(decimal, 2, "seconds that a revision takes in all"),
  /** Statuses of a revision in order, the last one final; unless given, the usual ones, for images without those of the build. */
  revisionStatuses: optionalRow(listOf(text), "statuses of a revision in order"),
  /** What an unfinished revision becomes when a newer one is made; `INTERRUPTED` unless given. */
  superseded: row(
    choice("INTERRUPTED", "SKIPPED"),
    "INTERRUPTED",
    "what a newer revision makes of an unfinished one",
  ),
  /** Seconds that a run of the graph `wait` takes; 1 unless given. */
  runSeconds: row(decimal, 1, "seconds that a run of the graph wait takes"),
  /** Seconds for which a new deployment is AWAITING_DATABASE and has no revision yet; 0 unless given. */
  databaseSeconds: row(decimal, 0, "seconds for which a new deployment awaits its database"),
  /** Milliseconds by which every answer is delayed; 0 unless given. */
  latencyMs: row(decimal, 0, "milliseconds by which every answer is delayed"),
  /** Whether the service fills in defaults: parts of `resource_spec`, and `custom_url` of deployments from a repository. True unless given. */
  defaults: row(boolean, true, "the service fills in defaults of its own"),
  /** What a CPU value with a second decimal place is, where the profile allows only one: `refused` with 422, or `rounded`. `refused` unless given. */
  finerCpu: row(choice("refused", "rounded"), "refused", "what a CPU value of two decimal places is"),
  /** Whether the plan of the workspace has listeners: without, a profile that creates them answers 403. True unless given. */
  listenersAllowed: row(boolean, true, "the workspace may have listeners"),
  /** Whether a second deployment of one name is refused with 409; false unless given. */
  uniqueNames: row(boolean, false, "a second deployment of one name is refused"),
} as const;

type BehaviourRows = typeof behaviourRows;

/** The options that can be changed at run time. Revisions that exist keep the pace with which they were made. */
export type EmulatorBehaviour = {
  -readonly [K in keyof BehaviourRows]: BehaviourRows[K] extends Row<infer T> ? T : never;
};

interface StartOptions {
  /** Port to listen on; 0, which is also the default, takes a free one. */
  port?: number;
  /** Address to listen on; `127.0.0.1` unless given. */
  host?: string;
  /** File in which the state is kept across restarts, written before a change is answered; kept in memory only unless given. */
  data?: string;
  /** Which service to be: `contract` unless given. */
  profile?: ProfileName;
  /** Compute ids of listeners to install unless the state has them; none unless given. */
  listeners?: readonly string[];
}

/** How the emulator starts. Everything is optional. */
export type EmulatorOptions = StartOptions & {
  [K in keyof EmulatorBehaviour]?: EmulatorBehaviour[K] | undefined;
};

const OPTIONS: Manner = { names: "an option" };

function initialOf(name: string): unknown {
  return structuredClone(behaviourRows[name as keyof BehaviourRows]?.initial);
}

/**
 * Changes some of the behaviour; null puts an option back to its default.
 *
 * Throws a TypeError that names the option and what it may be.
 */
export function applyBehaviour(
  behaviour: EmulatorBehaviour,
  change: { readonly [name: string]: unknown },
): void {
  const given = Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === null ? initialOf(name) : value]),
  );
  const faults = faultsIn(behaviourRows, given, hiddenBy(["apiKey"]), OPTIONS);
  if (faults.length > 0)
    throw new TypeError(faults.map(({ path, words }) => `option ${path.join(".")}: ${words}`).join("; "));
  Object.assign(behaviour, given);
}

export function initialBehaviour(): EmulatorBehaviour {
  return Object.fromEntries(
    Object.keys(behaviourRows).map((name) => [name, initialOf(name)]),
  ) as EmulatorBehaviour;
}
