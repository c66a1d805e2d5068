/** Checks the commands that we show or run: none may fetch an unrelated package with the same name as the command. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");
/**
 * The check leaves out tests (they put scripts in place of npx), lock files (they name other packages' commands),
 * installed packages, build output and binary files.
 */
const LEFT_OUT = /^(node_modules|dist|\.git|\.cache|test|package-lock\.json|.*\.png)$/;

function filesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const place = path.posix.join(folder, entry.name);
    if (LEFT_OUT.test(entry.name)) return [];
    if (entry.isDirectory()) return filesIn(place);
    return entry.isFile() ? [place] : [];
  });
}

/** The lines with a command that lets npm, pnpm, Yarn or Bun run a package that is not installed. */
const fetching = (text: string): string[] =>
  text.match(
    /.*(?:\b(?:pnpx|bunx)\b|\bnpx\b(?! --no-install [\w$])|\bnpm (?:x|exec|create)\b|\bnpm init (?!-)|\b(?:pnpm|yarn|bun) (?:dlx|x|create)\b).*/g,
  ) ?? [];

test("every command in the docs, recipes, examples, sources and tools runs only installed packages", () => {
  const files = filesIn("");
  for (const file of [".github/actions/deployment-control/action.yml", "docs/guides/recipes.md", ".ci/run"])
    expect(files).toContain(file);
  const lines = files.flatMap((file) =>
    fetching(readFileSync(path.join(ROOT, file), "utf8")).map((line) => `${file}: ${line}`),
  );
  expect(lines).toEqual([]);
});
