// Programs in Go that the tests run. They are built once from pinned sources, then stored in .cache. `node
// go-tools.mjs NAME` builds one of the programs and prints its path.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { asProgram, cache, executable, runQuietly, Stop, step, withLock } from "../steps.mjs";
import { goEnvironment } from "./build-pulumi.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));

/** `files`: the project's own sources in the module. The program is built again if these files change. */
const tools = {
  // Checks GitHub workflows: their syntax, their expressions, and the inputs of actions.
  actionlint: {
    module: "actionlint",
    source: "github.com/rhysd/actionlint/cmd/actionlint",
    files: [],
    usually: "5 s, up to 1 min with an empty Go cache",
  },
  // This generator is built in the CLI's module, so it gets exactly the CLI's dependencies.
  "code-generator": {
    module: "cli",
    source: "./code-generator",
    files: ["code-generator/main.go"],
    usually: "5 s, up to 3 min with an empty Go cache",
  },
  // The examples are written in YAML, so this generator is built in the YAML host's module.
  "example-generator": {
    module: "yaml-host",
    source: "./example-generator",
    files: ["example-generator/main.go"],
    usually: "10 s, up to 3 min with an empty Go cache",
  },
};

/** Builds the program if it is missing. Throws a Stop if the build fails. */
export function goTool(name) {
  const tool = tools[name];
  if (!tool) throw new Stop(`no such program: ${name}; known: ${Object.keys(tools).join(", ")}`);
  const program = path.join(cache, "go-tools", executable(`${name}-${fingerprint(tool)}`));
  if (fs.existsSync(program)) return program;
  return withLock(name, () => {
    if (!fs.existsSync(program)) build(name, tool, program);
    return program;
  });
}

function build(name, { module, source, usually }, program) {
  fs.mkdirSync(path.dirname(program), { recursive: true });
  const output = `${program}.new`;
  step(`building ${name} with Go`, usually, () =>
    go(["build", "-o", output, "-ldflags", "-s -w", source], path.join(here, module)),
  );
  fs.renameSync(output, program);
}

function fingerprint({ module, files }) {
  const hash = createHash("sha256");
  for (const file of [...files, "go.mod", "go.sum"])
    hash.update(fs.readFileSync(path.join(here, module, file)));
  return hash.digest("hex").slice(0, 12);
}

/** Runs Go without the user's settings, because these could change the build. */
export function go(args, cwd) {
  runQuietly("go", args, { cwd, env: goEnvironment(), minutes: 15 });
}

asProgram(import.meta.url, (name) => process.stdout.write(goTool(name)));
