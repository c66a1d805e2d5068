/** The code blocks of a Markdown page, and the instructions for running or compiling them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");

export interface Block {
  /** The block's language, such as `sh`, `text`, `ts`. */
  readonly language: string;
  /** The words after the language, such as `exit=2` or `file=index.ts`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** The HTML comment directly above the block. A reader does not see the comment. */
  readonly comment: string | undefined;
  readonly start: number;
  readonly end: number;
}

const FENCE = /(?:<!-- ([^\n]*?) -->\n)?^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm;

export function blocksIn(page: string): Block[] {
  return [...page.matchAll(FENCE)].map((match) => {
    const [whole, comment, language = "", info = "", text = ""] = match;
    const end = match.index + whole.length - "```".length;
    const attributes = Object.fromEntries(
      [...info.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    return { language, attributes, text, comment, start: end - text.length, end };
  });
}

const NOT_OURS = ["node_modules", "dist", ".cache", ".git", "goldens"];

/** The paths, from the root, of all pages in the repository. */
export function pages(folder = ""): string[] {
  const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const place = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : pages(place);
      return entry.name.endsWith(".md") ? [place] : [];
    })
    .sort();
}

export const pageText = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
