/** The workflows of this repository, and those of the recipes: what GitHub would refuse, or do otherwise than meant. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");
const FOLDERS = [".github/workflows", "examples/ci/github"];
const WITH_BUILD = 600_000;

const built = spawnSync(process.execPath, [path.join(ROOT, "test/toolchain/go-tools.mjs"), "actionlint"], {
  encoding: "utf8",
});
const missing = built.status === 0 ? undefined : built.stderr.trim().split("\n").at(-1);

const workflows = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith(".yml"))
    .map((file) => path.join(folder, file)),
);

/** What it says, a line each. Its finds must not depend on which other linters a machine has. */
function complaintsOf(workflow: string, input?: string): string[] {
  const args = ["-shellcheck=", "-pyflakes=", "-oneline", input === undefined ? workflow : "-"];
  const { stdout, stderr, error } = spawnSync(built.stdout, args, { cwd: ROOT, encoding: "utf8", input });
  if (error) throw error;
  return `${stdout}${stderr}`.split("\n").filter(Boolean);
}

if (missing !== undefined) {
  test.skip(`actionlint has nothing to say of the workflows (skipped: no actionlint: ${missing})`, () =>
    undefined);
} else {
  test.each(workflows)(
    "actionlint has nothing to say of %s",
    (workflow) => {
      expect(workflows.length).toBeGreaterThanOrEqual(4);
      expect(complaintsOf(workflow)).toEqual([]);
    },
    WITH_BUILD,
  );

  test("a workflow with a misspelt key and an unknown context is complained of", () => {
    const text = [
      "on: push",
      "jobs:",
      "  a:",
      "    runs-on: ubuntu-latest",
      "    step:",
      "      - run: true",
    ];
    expect(complaintsOf("", text.join("\n")).join("\n")).toMatch(/"step"/);
  });
}
