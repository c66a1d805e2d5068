/** What the provider says about each Deployment and Listener of a plan: its sentences, understood, and its warnings. */
import { resourceOfType } from "../../../provider/fields/naming";
import { nameIn, typeIn } from "../../../provider/fields/urn";
import type { Verdict } from "../../../provider/verdict/changes";
import { hear, labelOf, type Statement, unlabelled } from "../../../provider/verdict/sentences";
import { type ReportVerdict, stricter } from "../model";
import type { Diagnostic, Preview } from "./preview";

export interface HeardLines {
  /** The line that tells what becomes of it, without its label; of several, the one of the strictest verdict. */
  readonly line: string | undefined;
  readonly verdict: ReportVerdict | undefined;
  /** Of one that may be replaced: what is done where it is not. */
  readonly otherwise: ReportVerdict | undefined;
  /** Id of the existing deployment that a creation takes over. */
  readonly adopts: string | undefined;
  readonly warnings: readonly string[];
  /** Lines that are no sentences of the provider, or that do not tell what a take-over changes. */
  readonly notUnderstood: readonly string[];
}

export const NOTHING_HEARD: HeardLines = {
  line: undefined,
  verdict: undefined,
  otherwise: undefined,
  adopts: undefined,
  warnings: [],
  notUnderstood: [],
};

export const REPORTED = {
  replace: "replace",
  mayReplace: "may-create-revision",
  newRevision: "new-revision",
  mayRevise: "may-create-revision",
  inPlace: "in-place",
  unchanged: "unchanged",
} as const satisfies { readonly [verdict in Verdict]: ReportVerdict };

const KINDS: ReadonlyMap<string | undefined, "deployment" | "listener"> = new Map([
  ["Deployment", "deployment"],
  ["Listener", "listener"],
]);

/** Whether the resource is a Deployment or a Listener; undefined for all others. */
export const kindOf = (urn: string): "deployment" | "listener" | undefined =>
  KINDS.get(resourceOfType(typeIn(urn)));

/** What was said in a preview, by the URN of the deployment or listener. */
export function heardIn({ diagnostics }: Preview): Map<string, HeardLines> {
  const heard = new Map<string, HeardLines>();
  for (const diagnostic of diagnostics) {
    const { urn = "", severity } = diagnostic;
    if (kindOf(urn) === undefined || (severity !== "warning" && severity !== "info")) continue;
    heard.set(urn, withDiagnostic(heard.get(urn) ?? NOTHING_HEARD, diagnostic));
  }
  return heard;
}

function withDiagnostic(known: HeardLines, { urn = "", message = "", severity }: Diagnostic): HeardLines {
  const words = wordsOf(urn, message);
  const heard = hearLine(urn, message);
  // Whether it is down the steps tell better: they have the options.
  if (severity === "warning" && heard?.meaning === "downtime") return known;
  if (severity === "warning") return { ...known, warnings: [...known.warnings, words] };
  if (heard?.meaning === "verdict") return withVerdict(known, words, heard.verdict, heard.otherwise);
  if (heard?.meaning === "adoption" && heard.verdict !== undefined)
    return { ...withVerdict(known, words, heard.verdict), adopts: heard.id };
  if (heard !== undefined && heard.meaning !== "adoption") return known;
  return { ...known, adopts: heard?.id ?? known.adopts, notUnderstood: [...known.notUnderstood, words] };
}

function withVerdict(known: HeardLines, line: string, heard: Verdict, instead?: Verdict): HeardLines {
  const otherwise = instead === undefined ? undefined : REPORTED[instead];
  const own = otherwise === undefined ? REPORTED[heard] : perhapsReplaced(otherwise);
  const verdict = known.verdict === undefined ? own : stricter(known.verdict, own);
  return verdict === known.verdict ? known : { ...known, line, verdict, otherwise };
}

/** The verdict on one that may be replaced: a revision comes with that, and may come else. */
export const perhapsReplaced = (otherwise: ReportVerdict): ReportVerdict =>
  stricter("may-create-revision", otherwise);

/** What a line about the resource means; undefined where it is not understood, or has not the resource's label. */
export function hearLine(urn: string, message: string): Statement | undefined {
  const words = unlabelled(labelIn(urn), lineIn(message));
  return words === undefined ? undefined : hear(words);
}

/** The line without the label, which stands beside it already. */
export function wordsOf(urn: string, message: string): string {
  const line = lineIn(message);
  return unlabelled(labelIn(urn), line) ?? line;
}

/** `deployment "chat"`. */
export const labelIn = (urn: string): string => labelOf(kindOf(urn) ?? "", nameIn(urn));

/** Without what the engine puts before it. */
const lineIn = (message: string): string => message.trim().replace(/^(warning|error|info): /, "");
