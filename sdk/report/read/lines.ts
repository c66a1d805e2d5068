/** Reads the provider's lines about each Deployment and Listener. Reads only the phrase at the beginning of a line. */

import type { Verdict } from "../../../provider/diff/changes";
import { labelOf } from "../../../provider/diff/describe";
import { type Beginning, beginningOf } from "../../../provider/diff/sentences";
import { nameIn, resourceOfType, typeIn } from "../../../provider/schema/naming";
import { type ReportVerdict, stricter } from "../model";
import type { Diagnostic, Preview } from "./preview";

export interface ProviderLines {
  /** The provider's line with the strictest verdict on the resource, or its line about an adoption. */
  readonly line: string | undefined;
  readonly verdict: ReportVerdict | undefined;
  /** The verdict if a possible replacement does not happen; undefined if no replacement is possible. */
  readonly otherwise: ReportVerdict | undefined;
  /** Whether an earlier update failed or is in doubt. */
  readonly isOwed: boolean;
  readonly warnings: readonly string[];
  /** Lines that begin with none of the provider's phrases. */
  readonly notUnderstood: readonly string[];
}

export const NO_LINES: ProviderLines = {
  line: undefined,
  verdict: undefined,
  otherwise: undefined,
  isOwed: false,
  warnings: [],
  notUnderstood: [],
};

export const REPORT_VERDICTS = {
  create: "create",
  replace: "replace",
  mayReplace: "may-create-revision",
  newRevision: "new-revision",
  mayRevise: "may-create-revision",
  inPlace: "in-place",
  unchanged: "unchanged",
} as const satisfies { readonly [verdict in Verdict | "create"]: ReportVerdict };

const PHRASE_VERDICTS: { readonly [phrase in Beginning["phrase"]]: ReportVerdict | undefined } = {
  ...REPORT_VERDICTS,
  resumes: "in-place",
  sendsNothing: "in-place",
  // The recorded plan has the verdict on an adoption.
  takesOver: undefined,
  isDown: undefined,
};

/** Returns undefined if the resource is neither a Deployment nor a Listener. */
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

function withDiagnostic(lines: ProviderLines, { message = "", severity }: Diagnostic): ProviderLines {
  const words = wordsOf(message);
  if (severity === "warning") {
    // The report itself predicts downtime, because only the preview's steps contain the resource's options.
    const isOfReport = beginningOf(words)?.phrase === "isDown";
    return isOfReport ? lines : { ...lines, warnings: [...lines.warnings, words] };
  }
  if (ENGINE_LINE.test(words)) return lines;
  const said = saidIn(words);
  if (said === undefined) return { ...lines, notUnderstood: [...lines.notUnderstood, words] };
  if (said.verdict === undefined) return { ...lines, line: lines.line ?? words };
  const verdict = lines.verdict === undefined ? said.verdict : stricter(lines.verdict, said.verdict);
  return verdict === lines.verdict ? lines : { ...lines, ...said, verdict, line: words };
}

/** The meaning of a line; undefined if the line begins with none of the provider's phrases. */
export function saidIn(words: string): Pick<ProviderLines, "verdict" | "otherwise" | "isOwed"> | undefined {
  const beginning = beginningOf(words);
  if (beginning === undefined) return undefined;
  const { phrase, isOwed, otherwise: instead } = beginning;
  const otherwise = instead && PHRASE_VERDICTS[instead];
  // If a replacement is possible, the verdict is the stricter of `may-create-revision` and `otherwise`.
  const verdict =
    otherwise === undefined ? PHRASE_VERDICTS[phrase] : stricter("may-create-revision", otherwise);
  return { verdict, otherwise, isOwed };
}

/** The engine's line about an entry of `ignoreChanges` that the arguments lack. The report ignores this line. */
const ENGINE_LINE = /^cannot ignore changes in added or removed elements of the path: /;

/** The message on one line, without the engine's prefix. */
export const wordsOf = (message: string): string =>
  message
    .trim()
    .replace(/^(warning|error|info): /, "")
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .join(" ");

/** Returns, for example, `deployment "chat"`. */
export const labelIn = (urn: string): string => labelOf(kindOf(urn) ?? "", nameIn(urn));
