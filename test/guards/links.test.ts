/** Checks the links of all pages: the linked file must exist, and must have the linked heading. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pages, pageText } from "../../tools/docs/blocks";
import { anchorOf } from "../../tools/docs/reference/markdown";

const ROOT = path.join(__dirname, "..", "..");

interface Link {
  readonly page: string;
  readonly target: string;
}

/** The page without its code blocks. A code block contains no links. */
const proseOf = (page: string): string => pageText(page).replace(/^```[\s\S]*?^```$/gm, "");

const linksIn = (page: string): Link[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => ({
    page,
    target: target as string,
  }));

function headingsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    anchorOf(heading as string),
  );
  return headings.map((heading, index) => {
    const before = headings.slice(0, index).filter((each) => each === heading).length;
    return before === 0 ? heading : `${heading}-${before}`;
  });
}

/** The reason why the link is broken; undefined if the link works. */
function fault({ page, target }: Link): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const place = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (!existsSync(path.join(ROOT, place))) return `${page}: ${target}: there is no ${place}`;
  if (anchor === undefined || statSync(path.join(ROOT, place)).isDirectory()) return undefined;
  return headingsOf(place).includes(anchor) ? undefined : `${page}: ${target}: ${place} has no such heading`;
}

const links = pages().flatMap(linksIn);

test("every link of every page works", () => {
  expect(links.length).toBeGreaterThan(80);
  expect(links.flatMap((link) => fault(link) ?? [])).toEqual([]);
});

/**
 * The files of this repository that a page names in backquotes. Files of a made-up `project` do not count: the guide to
 * a new resource names them as examples.
 */
const namedFiles = (page: string): string[] =>
  [...proseOf(page).matchAll(/`((?:provider|sdk|test|tools|examples|docs)\/[\w./-]+)`/g)]
    .map(([, file]) => file as string)
    .filter((file) => !/project/i.test(file));

test("every file that a page names exists", () => {
  const missing = pages().flatMap((page) =>
    namedFiles(page).flatMap((file) => (existsSync(path.join(ROOT, file)) ? [] : `${page}: ${file}`)),
  );
  expect(pages().flatMap(namedFiles).length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

test("every function that a page links to is in the linked file", () => {
  const functions = pages().flatMap((page) =>
    [...pageText(page).matchAll(/\[`(\w+)`\]\(([\w./-]+\.ts)\)/g)].map(([, name = "", file = ""]) => ({
      page,
      name,
      file: path.join(ROOT, path.dirname(page), file),
    })),
  );
  expect(functions.length).toBeGreaterThan(9);
  expect(functions.filter(({ name, file }) => !readFileSync(file, "utf8").includes(name))).toEqual([]);
});

test("the README links to every guide", () => {
  const guides = pages().filter((file) => file.startsWith("docs/guides/"));
  expect(guides.length).toBeGreaterThan(9);
  for (const guide of guides) expect(pageText("README.md")).toContain(`](${guide})`);
});
