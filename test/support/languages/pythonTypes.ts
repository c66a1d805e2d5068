/** Checks the types in Python programs with mypy and pyright, both in strict mode. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ran } from "../adopt/command";
import type { Variables } from "./hosts";

// Each program that Pulumi generates imports `pulumi`, even if the program does not use it.
const PYRIGHT = { typeCheckingMode: "strict", reportUnusedImport: false };

/** Writes the programs to the folder, and returns the faults that each checker reports, as `FILE:LINE: MESSAGE`. */
export async function typeFaults(
  folder: string,
  programs: { readonly [file: string]: string },
  environment: Variables,
): Promise<{ mypy: string[]; pyright: string[] }> {
  for (const [file, text] of Object.entries(programs)) writeFileSync(path.join(folder, file), text);
  writeFileSync(path.join(folder, "pyrightconfig.json"), JSON.stringify(PYRIGHT));
  const run = (program: string, ...options: string[]) =>
    ran(program, [...options, ...Object.keys(programs)], folder, { ...process.env, ...environment });
  const mypy = await run("mypy", "--strict", "--output", "json");
  const pyright = await run("pyright", "--outputjson");
  return { mypy: mypysFaults(mypy), pyright: pyrightsFaults(pyright) };
}

interface Output {
  readonly out: string;
  readonly errors: string;
}

// If a checker itself fails, it prints errors or text that is not JSON, and the test fails here.
function mypysFaults({ out, errors }: Output): string[] {
  expect(errors).toBe("");
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { file: string; line: number; message: string })
    .map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

function pyrightsFaults({ out }: Output): string[] {
  const { generalDiagnostics, summary } = JSON.parse(out) as {
    generalDiagnostics: { file: string; message: string; range: { start: { line: number } } }[];
    summary: { filesAnalyzed: number };
  };
  expect(summary.filesAnalyzed).toBeGreaterThan(0);
  return generalDiagnostics.map(
    ({ file, message, range }) => `${path.basename(file)}:${range.start.line + 1}: ${message}`,
  );
}
