// The hosts for programs in Python, YAML and Java. Every published Pulumi includes these hosts, but a CLI that the
// project builds does not. `node hosts.mjs python yaml` prints the folders to put on the PATH, one per line.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { executable, fail, isProgram, pathFolders, Stop, withLock } from "../steps.mjs";
import { buildJavaHost, buildPythonHost, buildYamlHost } from "./build-pulumi.mjs";
import { findPulumi, pulumiCache } from "./pulumi.mjs";

const builders = { python: buildPythonHost, yaml: buildYamlHost, java: buildJavaHost };

/** The folder of a language's host: beside the CLI, on the PATH, or built by the project, which may take minutes. */
export function findHost(language) {
  const host = executable(`pulumi-language-${language}`);
  const builtFolder = path.join(pulumiCache, "hosts", language);
  const find = () =>
    [findPulumi().bin, ...pathFolders(), builtFolder].find((folder) => isProgram(path.join(folder, host)));
  return find() ?? withLock(`host-${language}`, () => find() ?? make(language, builtFolder));
}

// The finished folder is renamed in one step, so that other processes never see a partial host.
function make(language, folder) {
  const work = `${folder}.new-${process.pid}`;
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  try {
    builders[language](work);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(work, folder);
    return folder;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const remedy = "Install the Pulumi CLI as it is published, which has it, or Go 1.25.11 or later";
    throw new Stop(
      `no pulumi-language-${language} beside the CLI or on the PATH: ${error.message}\n${remedy}.`,
    );
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${process.argv.slice(2).map(findHost).join("\n")}\n`);
  } catch (error) {
    fail(error);
  }
}
