/** What the provider itself said in the preview: its one line per changed deployment, and its warnings. */
import { plain } from "../../../provider/fields/words";
import type { ReportVerdict } from "../model";
import type { Diagnostic, Preview } from "./preview";

export interface Told {
  /** The line without `deployment "…": `; undefined where it said nothing. */
  readonly line: string | undefined;
  readonly verdict: ReportVerdict | undefined;
  /** Id of the existing deployment that a creation takes over. */
  readonly adopts: string | undefined;
  readonly warnings: readonly string[];
}

const NOTHING: Told = { line: undefined, verdict: undefined, adopts: undefined, warnings: [] };

const OPENINGS: readonly (readonly [RegExp, ReportVerdict])[] = [
  [/^creates a new revision /, "new-revision"],
  [/^may create a new revision /, "may-create-revision"],
  [/^updates in place/, "in-place"],
  [/^is replaced /, "replace"],
  [/^resumes waiting /, "in-place"],
  [/^finishes the update that failed/, "in-place"],
  [/^has no changes/, "unchanged"],
];
const ADOPTION = /^takes over the existing (?:deployment|listener) (\S+?)(?:; (?:it )?(.*))?$/s;

/** What was said about each resource, by its URN. */
export function toldIn(preview: Preview): Map<string, Told> {
  const told = new Map<string, Told>();
  for (const { urn = "", ...diagnostic } of preview.diagnostics) {
    const known = told.get(urn) ?? NOTHING;
    told.set(urn, isWarning(diagnostic) ? withWarning(known, diagnostic) : withLine(known, diagnostic));
  }
  return told;
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === "warning";

function withWarning(known: Told, { message = "" }: Diagnostic): Told {
  return { ...known, warnings: [...known.warnings, wordsOf(message)] };
}

function withLine(known: Told, { message = "", severity }: Diagnostic): Told {
  if (severity !== "info" || known.line !== undefined) return known;
  const line = wordsOf(message);
  const adoption = ADOPTION.exec(line);
  const words = adoption === null ? line : (adoption[2] ?? "");
  const verdict = OPENINGS.find(([opening]) => opening.test(words))?.[1];
  if (adoption !== null) return { ...known, line, verdict: verdict ?? "unchanged", adopts: adoption[1] };
  return verdict === undefined ? known : { ...known, line, verdict };
}

/** Without the engine's prefix and the name, which stand beside it already. */
export function wordsOf(message: string): string {
  const line = message.trim().replace(/^(warning|error|info): /, "");
  return line.replace(/^(?:deployment|listener) "(?:[^"]|"(?!: ))*": /, "");
}

/** What the line says about a value that it does not show: the path as it stands there, and what happens to it. */
export interface Mention {
  readonly path: string;
  readonly what: "added" | "removed" | "changed" | "unknown";
}

/** Mentions of a hidden path, or of what is within it. */
export function mentionsOf(line: string, path: string): Mention[] {
  return mentions(line, `${escaped(plain(path))}(?:\\.[^\\s;()]+)?`);
}

export function mentionsOfSecret(line: string, name: string): Mention[] {
  return mentions(line, `secret ${escaped(plain(name))}`);
}

function mentions(line: string, pattern: string): Mention[] {
  const expression = new RegExp(
    `(?:[(] *|; |: )(${pattern}) (added|removed|changed|unknown until apply)(?=[;)])`,
    "g",
  );
  return [...line.matchAll(expression)].map(([, path, what]) => ({
    path: path as string,
    what: (what as string).split(" ")[0] as Mention["what"],
  }));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
