/**
 * Runs an example's unit test as the example's README says. The unit test must find a program's faults, and must use no
 * engine and no service.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");
const EXAMPLE = path.join(ROOT, "examples", "repositories");
/** The folder of the example's copy. It is in the repository, so that the example finds the built package. */
const CACHE = path.join(ROOT, ".cache");

/** Runs the example's unit test after an edit to its program, in an environment without any setting of the provider. */
function run(edit: (program: string) => string): { status: number | null; said: string } {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, "unit-test-"));
  try {
    cpSync(EXAMPLE, folder, { recursive: true, filter: (file) => !file.includes("node_modules") });
    const file = path.join(folder, "index.ts");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    const { scripts } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" };
    const { status, stdout, stderr } = spawnSync("sh", ["-c", scripts.test], {
      cwd: folder,
      encoding: "utf8",
      env: env as NodeJS.ProcessEnv,
    });
    return { status, said: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the unit test of the repositories example passes", () => {
  expect(run((program) => program)).toMatchObject({ status: 0, said: expect.stringMatching(/pass 2\b/) });
});

test("the unit test fails with the plan's message if the plan would refuse an argument", () => {
  const { status, said } = run((program) => program.replace("buildOnPush,", "buildOnPsh: buildOnPush,"));
  expect(status).not.toBe(0);
  expect(said).toContain(
    'deployment "support": sourceConfig.buildOnPsh: is not an argument; did you mean buildOnPush?',
  );
});
