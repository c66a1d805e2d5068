/** Finds faults that would show only on Windows or macOS, as far as a test on another system can. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.join(__dirname, "..", "..");

const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
const isCheckout = git("rev-parse", "--git-dir").status === 0;
const inCheckout = isCheckout
  ? test
  : (title: string) => test.skip(`${title} (skipped: not a git checkout)`, () => undefined);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "deployment control systems ü-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

inCheckout(
  "the lines of every text file end with a line feed alone, in the repository and in a checkout on any system",
  () => {
    const files = git("ls-files", "--eol").stdout.split("\n").filter(Boolean);
    expect(files.length).toBeGreaterThan(500);
    const otherFiles = files.filter(
      (line) => !/^i\/(lf|none) +w\/(lf|none) +attr\/text=auto eol=lf/.test(line),
    );
    expect(otherFiles.filter((line) => !/^i\/-text .*\.png$/.test(line))).toEqual([]);
  },
);

inCheckout("every system can store the names of all files", () => {
  const files = git("ls-files", "-z").stdout.split("\0").filter(Boolean);
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
  const isStrange = (part: string) => /[<>:"|?*\\]|[. ]$/.test(part) || reserved.test(part);
  expect(files.filter((file) => file.split("/").some(isStrange))).toEqual([]);
  // On Windows and macOS, two names that differ only in case refer to the same file.
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
  // Windows allows only 260 characters for a whole path.
  expect(files.filter((file) => file.length > 150)).toEqual([]);
});

/**
 * Returns the value of `expression` in a process that believes its system is Windows. In the expression, `tool` is the
 * tool's module.
 */
function onWindows(tool: string, expression: string, environment: NodeJS.ProcessEnv = {}): unknown {
  const script = `Object.defineProperty(process, "platform", { value: "win32" });
    const tool = await import(${JSON.stringify(pathToFileURL(path.join(ROOT, tool)).href)});
    process.stdout.write(JSON.stringify((${expression}) ?? null));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("on Windows, the tools look for programs and scripts under the names that these have on Windows", () => {
  expect(
    onWindows("tools/steps.mjs", `["node", "pulumi"].map(tool.executable).concat(tool.script("plugin"))`),
  ).toEqual(["node.exe", "pulumi.exe", "plugin.cmd"]);
  expect(onWindows("tools/toolchain/pulumi.mjs", "tool.parts")).toEqual([
    "pulumi.exe",
    "pulumi-language-nodejs.exe",
    "pulumi-resource-pulumi-nodejs.cmd",
  ]);
});
