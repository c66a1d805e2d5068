/** Checks that each plan line in the pages is a sentence of the provider, and that its verdict matches the tables. */
import { deploymentRows } from "../../provider/fields/deployment";
import type { Field, Rows } from "../../provider/fields/kind";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { classAt } from "../../provider/verdict/changes";
import { hear } from "../../provider/verdict/sentences";
import { blocksIn, pages, pageText } from "../../tools/docs/blocks";

interface Shown {
  readonly page: string;
  readonly words: string;
}

/** The plan lines about a Deployment or a Listener in the pages, without warnings and errors. */
const shown: Shown[] = pages().flatMap((page) =>
  blocksIn(pageText(page))
    .filter(({ language }) => language === "text")
    .flatMap(({ text }) => [
      ...underHeadings(text),
      ...text.matchAll(/^(?:deployment|listener) "[^"]*": (.+)$/gm),
    ])
    .map(([, words]) => ({ page, words: words as string })),
);

function underHeadings(text: string): RegExpMatchArray[] {
  const groups = text.matchAll(/^ {2}\S+:(?:Deployment|Listener) \(.*\):\n((?: {4}.*\n?)+)/gm);
  return [...groups].flatMap(([, lines = ""]) => [...lines.matchAll(/^ {4}(?!warning: |error: |\s)(.+)$/gm)]);
}

/** The class of the field that the line names first; undefined if the line names no field. */
function classOf(words: string, profile: Profile): string | undefined {
  const [, first = ""] = /\((?:secret |)([\w.]+) /.exec(words) ?? [];
  const path = words.includes("(secret ") ? "secrets" : first;
  const field = path.split(".").reduce<Field<unknown> | undefined>((parent, name, at) => {
    const rows: Rows | undefined =
      at === 0 ? deploymentRows : parent?.kind.type === "object" ? parent.kind.rows : undefined;
    return rows?.[name] ?? parent;
  }, undefined);
  return field && classAt(path, field, profile);
}

test("every plan line in the pages is a sentence of the provider", () => {
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter(({ words }) => hear(words) === undefined)).toEqual([]);
});

test("the verdict that a page shows for a change matches the tables, under the page's profile", () => {
  const simple = shown.filter(({ words }) =>
    /^(creates a|may create a|updates in|is replaced)(?!.*\(makes it again)/.test(words),
  );
  expect(simple.length).toBeGreaterThan(8);
  for (const { page, words } of simple) {
    const heard = hear(words);
    const profile = PROFILES[page.includes("public-service") ? "langsmith" : "contract"] as Profile;
    const verdict = heard?.meaning === "verdict" ? heard.verdict : undefined;
    expect({ page, words, verdict: classOf(words, profile) }).toEqual({ page, words, verdict });
  }
});
