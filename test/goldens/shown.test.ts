/** Compares each format of the recorded plans and results with the checked-in file. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { FORMATS } from "../../sdk/report/render/formats";
import { reportOf, resultOfRecorded, textOf } from "../support/goldens";

const ROOT = path.join(__dirname, "..", "..");
const SHOWN = path.join(__dirname, "shown");
const FORMAT_OF = { md: "markdown", txt: "text", html: "html" } as const;

const read = (file: string): string => readFileSync(path.join(SHOWN, file), "utf8");

test.each(readdirSync(SHOWN))("the checked-in file %s equals the rendered plan or result", (file) => {
  const [name, ...rest] = file.split(".") as [string, ...string[]];
  const format = FORMATS[FORMAT_OF[rest.at(-1) as keyof typeof FORMAT_OF]];
  const isResult = rest[0] === "result";
  const text = isResult ? format.result([resultOfRecorded(name)]) : format.plan([reportOf(name)]);
  expect(text).toBe(read(file));
});

test("the checked-in files include plans and results in each format", () => {
  for (const ending of Object.keys(FORMAT_OF))
    for (const name of ["mixed", "failed", "mixed.result", "failed.result"])
      expect(readdirSync(SHOWN)).toContain(`${name}.${ending}`);
});

test("the script in the reference names only the resources whose plan makes, or may make, a new revision", () => {
  const page = readFileSync(path.join(ROOT, "docs/reference/plan.md"), "utf8");
  const [, script] = /```javascript\n([\s\S]*?)```/.exec(page) as unknown as [string, string];
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    input: textOf("mixed"),
    encoding: "utf8",
  });
  const names = stderr
    .trim()
    .split("\n")
    .map((line) => line.split("::").at(-1));
  expect(names.sort()).toEqual(["keyed", "revised"]);
  expect(status).toBe(new Date().getDay() === 5 ? 2 : 0);
});

test("the README shows the report of a recorded plan", () => {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const section = readme.slice(readme.indexOf("## The report"));
  const [, excerpt] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  expect(excerpt?.length).toBeGreaterThan(100);
  expect(read("dependents.txt")).toContain(excerpt as string);
});
