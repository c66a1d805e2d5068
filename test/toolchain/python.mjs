// Python with Pulumi's SDK in a virtual environment of the project's own: `node python.mjs` prints the folder of its
// programs, or says why there is none.
import fs from "node:fs";
import path from "node:path";
import { pulumiVersion } from "./pulumi.mjs";
import { cache, executable, fail, isProgram, runQuietly, step, withLock } from "./steps.mjs";

const isWindows = process.platform === "win32";
const folder = path.join(cache, "python", pulumiVersion);
const programs = path.join(folder, isWindows ? "Scripts" : "bin");
const python = path.join(programs, executable(isWindows ? "python" : "python3"));
const stamp = path.join(folder, ".made");
// Pulumi's, and what a generated SDK asks for: it is installed without a look into the registry.
const packages = [`pulumi==${pulumiVersion}`, "parver>=0.2.1", "semver>=2.8.1", "setuptools>=70.1"];

const isMade = () => fs.existsSync(stamp) && isProgram(python);

function make() {
  fs.rmSync(folder, { recursive: true, force: true });
  step("installing Pulumi's Python SDK", "20 to 60 s", () => {
    runQuietly(isWindows ? "python" : "python3", ["-m", "venv", folder], { minutes: 3 });
    const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
    runQuietly(python, ["-m", "pip", "install", ...quiet, ...packages], { minutes: 5 });
    fs.writeFileSync(stamp, "");
  });
}

try {
  if (!isMade()) withLock("python", () => isMade() || make());
  process.stdout.write(`${programs}\n`);
} catch (error) {
  fail(error);
}
