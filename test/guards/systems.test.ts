/** Finds faults that appear only on Windows or macOS, as far as a test on a different system can find them. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");

const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
const isCheckout = git("rev-parse", "--git-dir").status === 0;
const inCheckout = isCheckout
  ? test
  : (title: string) => test.skip(`${title} (skipped: not a git checkout)`, () => undefined);

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
