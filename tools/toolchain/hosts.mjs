// The hosts for programs in Python, YAML and Java. Every published Pulumi includes these hosts, but a CLI
// that the project builds does not. `node hosts.mjs python yaml` prints the folders to put on the PATH, one
// per line.
import path from "node:path";
import { asProgram, executable, isProgram, makeFolder, pathFolders, Stop, withLock } from "../steps.mjs";
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

function make(language, folder) {
  try {
    makeFolder(folder, (work) => builders[language](work));
    return folder;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const remedy = "Install the Pulumi CLI as it is published, which has it, or Go 1.25.11 or later";
    throw new Stop(
      `no pulumi-language-${language} beside the CLI or on the PATH: ${error.message}\n${remedy}.`,
    );
  }
}

asProgram(import.meta.url, (...languages) => {
  process.stdout.write(`${languages.map(findHost).join("\n")}\n`);
});
