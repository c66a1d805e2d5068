// Python with Pulumi's SDK in the project's own virtual environment. `node python.mjs` prints the folder of
// the environment's programs, or the reason why the environment is missing. `node python.mjs PACKAGE FOLDER`
// also installs the package into that folder.
import fs from "node:fs";
import path from "node:path";
import { asProgram, cache, executable, isProgram, isWindows, runQuietly, step, withLock } from "../steps.mjs";
import { pulumiVersion } from "./pulumi.mjs";

const folder = path.join(cache, "python", pulumiVersion);
const programs = path.join(folder, isWindows ? "Scripts" : "bin");
const python = path.join(programs, executable(isWindows ? "python" : "python3"));
const stamp = path.join(folder, ".made");
// Pulumi's SDK, the dependencies of a generated package, and two type checkers. The generated package itself
// comes from a folder, not from the registry.
const packages = [
  `pulumi==${pulumiVersion}`,
  "parver>=0.2.1",
  "semver>=2.8.1",
  "setuptools>=70.1",
  "mypy==2.4.1",
  "pyright==1.1.414",
];
const content = packages.join("\n");

const isMade = () => isProgram(python) && fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === content;

function make() {
  fs.rmSync(folder, { recursive: true, force: true });
  step("installing Pulumi's Python SDK", "20 to 60 s", () => {
    runQuietly(isWindows ? "python" : "python3", ["-m", "venv", folder], { minutes: 3 });
    const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
    runQuietly(python, ["-m", "pip", "install", ...quiet, ...packages], { minutes: 5 });
    fs.writeFileSync(stamp, content);
  });
}

// All runs share the virtual environment with its dependencies, so no run may leave anything in it.
function install(generated, target) {
  const alone = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"];
  runQuietly(python, ["-m", "pip", "install", ...alone, "--target", target, generated], { minutes: 5 });
}

asProgram(import.meta.url, (generated, target) => {
  if (!isMade()) withLock("python", () => isMade() || make());
  if (generated !== undefined) install(generated, target);
  process.stdout.write(`${programs}\n`);
});
