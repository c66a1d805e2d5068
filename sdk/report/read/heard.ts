/** Reads the provider's sentences and warnings about each Deployment and Listener of a plan. */

import type { Verdict } from "../../../provider/diff/changes";
import { labelOf } from "../../../provider/diff/describe";
import { parse, type Statement } from "../../../provider/diff/sentences";
import { nameIn, resourceOfType, typeIn } from "../../../provider/schema/naming";
import { type ReportVerdict, stricter } from "../model";
import type { Diagnostic, Preview } from "./preview";

export interface ProviderLines {
  /** The provider's line with the strictest verdict on the resource. */
  readonly line: string | undefined;
  readonly verdict: ReportVerdict | undefined;
  /** The verdict if a possible replacement does not happen; undefined if no replacement is possible. */
  readonly otherwise: ReportVerdict | undefined;
  /** Id of the existing resource that a creation takes over. */
  readonly adopts: string | undefined;
  readonly warnings: readonly string[];
  /** Lines that the provider did not write, and lines that announce an adoption without saying what changes. */
  readonly notUnderstood: readonly string[];
}

export const NO_LINES: ProviderLines = {
  line: undefined,
  verdict: undefined,
  otherwise: undefined,
  adopts: undefined,
  warnings: [],
  notUnderstood: [],
};

export const REPORT_VERDICTS = {
  replace: "replace",
  mayReplace: "may-create-revision",
  newRevision: "new-revision",
  mayRevise: "may-create-revision",
  inPlace: "in-place",
  unchanged: "unchanged",
} as const satisfies { readonly [verdict in Verdict]: ReportVerdict };

/** The kind of the resource; undefined if it is neither a Deployment nor a Listener. */
export function kindOf(urn: string): "deployment" | "listener" | undefined {
  const type = resourceOfType(typeIn(urn));
  return type === "Deployment" ? "deployment" : type === "Listener" ? "listener" : undefined;
}

/** The provider's lines in a preview, by URN. */
export function linesIn({ diagnostics }: Preview): Map<string, ProviderLines> {
  const linesByUrn = new Map<string, ProviderLines>();
  for (const diagnostic of diagnostics) {
    const { urn = "", severity } = diagnostic;
    if (kindOf(urn) === undefined || (severity !== "warning" && severity !== "info")) continue;
    linesByUrn.set(urn, withDiagnostic(linesByUrn.get(urn) ?? NO_LINES, diagnostic));
  }
  return linesByUrn;
}

function withDiagnostic(lines: ProviderLines, diagnostic: Diagnostic): ProviderLines {
  const { words, sentence } = lineOf(diagnostic);
  if (diagnostic.severity === "warning") {
    // The report predicts downtime from the preview's steps and not from this line, because only the steps have the
    // resource's options.
    return sentence?.meaning === "downtime" ? lines : { ...lines, warnings: [...lines.warnings, words] };
  }
  if (sentence?.meaning === "verdict") return withVerdict(lines, words, sentence.verdict, sentence.otherwise);
  if (sentence?.meaning === "adoption" && sentence.verdict !== undefined)
    return { ...withVerdict(lines, words, sentence.verdict), adopts: sentence.id };
  if (sentence !== undefined && sentence.meaning !== "adoption") return lines;
  return { ...lines, adopts: sentence?.id ?? lines.adopts, notUnderstood: [...lines.notUnderstood, words] };
}

function withVerdict(
  lines: ProviderLines,
  line: string,
  providerVerdict: Verdict,
  ifNotReplaced?: Verdict,
): ProviderLines {
  const otherwise = ifNotReplaced === undefined ? undefined : REPORT_VERDICTS[ifNotReplaced];
  const reportVerdict =
    otherwise === undefined ? REPORT_VERDICTS[providerVerdict] : perhapsReplaced(otherwise);
  const verdict = lines.verdict === undefined ? reportVerdict : stricter(lines.verdict, reportVerdict);
  return verdict === lines.verdict ? lines : { ...lines, line, verdict, otherwise };
}

/** A resource that may be replaced has the verdict `may-create-revision`, or `otherwise` if that is stricter. */
export const perhapsReplaced = (otherwise: ReportVerdict): ReportVerdict =>
  stricter("may-create-revision", otherwise);

/** The engine's own line about an entry of `ignoreChanges` that the arguments lack. The line decides nothing. */
const ENGINE_LINE = /^cannot ignore changes in added or removed elements of the path: /;

/** A line about a resource, and the line's meaning. */
export interface Line {
  readonly words: string;
  /** The line's meaning; undefined if the line is not understood. */
  readonly sentence: Statement | undefined;
  readonly severity: string | undefined;
}

export function lineOf({ message = "", severity }: Diagnostic): Line {
  const words = wordsOf(message);
  const sentence: Statement | undefined = ENGINE_LINE.test(words) ? { meaning: "progress" } : parse(words);
  return { words, sentence, severity };
}

/** The message on one line, without the engine's prefix. */
export const wordsOf = (message: string): string =>
  message
    .trim()
    .replace(/^(warning|error|info): /, "")
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .join(" ");

/** `deployment "chat"`. */
export const labelIn = (urn: string): string => labelOf(kindOf(urn) ?? "", nameIn(urn));
