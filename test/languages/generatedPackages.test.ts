/** Generates packages for other languages, and compiles them. Pulumi gets the schema from the plugin. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findJava, mavenProject } from "../support/languages/java";

const ROOT = path.join(__dirname, "..", "..");
const TOOLCHAIN = path.join(ROOT, "tools/toolchain");
const SCHEMA = path.join(ROOT, "provider/schema.json");
const schema = JSON.parse(readFileSync(SCHEMA, "utf8"));

const built = spawnSync(process.execPath, [path.join(TOOLCHAIN, "go-tools.mjs"), "code-generator"], {
  encoding: "utf8",
});
const noGenerator =
  built.status === 0 ? undefined : `no code generator: ${built.stderr.trim().split("\n").at(-1)}`;
const noPython =
  spawnSync("python3", ["--version"]).status === 0 ? undefined : "there is no python3 on the PATH";

/** A compilation takes a long time if Go's cache is empty, because Go then also compiles Pulumi's own package. */
const LONGEST_MS = 600_000;

/**
 * Adds a test. If the machine lacks a program that the test needs, the test is skipped, and its title names the
 * program.
 */
function testUnless(missing: string | undefined, words: string, run: () => void): void {
  if (missing === undefined) test(words, run, LONGEST_MS);
  else test.skip(`${words} (skipped: ${missing})`, run);
}

/**
 * The folder of the generated packages. It is in the repository, so that they find the repository's installed packages.
 */
let folder: string;
beforeAll(() => {
  mkdirSync(path.join(ROOT, ".cache"), { recursive: true });
  folder = mkdtempSync(path.join(ROOT, ".cache", "packages-"));
  if (noGenerator === undefined) run(built.stdout, SCHEMA, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in the folder, and returns the command's output. If the command fails, throws its whole output. */
function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${stdout}${stderr}`);
  return stdout;
}

test("the CLI accepts the built plugin's schema, and this schema equals provider/schema.json", () => {
  const plugin = path.join(ROOT, "node_modules/.bin/pulumi-resource-deployment-control");
  const got = JSON.parse(run("pulumi", "package", "get-schema", plugin));
  expect(Object.keys(got.resources).sort()).toEqual(Object.keys(schema.resources).sort());
  expect(got).toEqual(schema);
});

const EXAMPLES: { readonly [name: string]: { readonly [language: string]: string } } = JSON.parse(
  readFileSync(path.join(ROOT, "tools/docs/schema/examples/translated.json"), "utf8"),
);

/** Writes each example in the schema's descriptions to a separate file. */
function writeExamples(
  language: string,
  place: (name: string) => string,
  edited = (text: string, _name: string) => text,
): void {
  for (const [name, programs] of Object.entries(EXAMPLES)) {
    mkdirSync(path.dirname(path.join(folder, place(name))), { recursive: true });
    writeFileSync(path.join(folder, place(name)), edited(programs[language] as string, name));
  }
}

testUnless(noGenerator, "the examples in the schema's descriptions type-check in TypeScript", () => {
  const name = '"pulumi-deployment-control-sdk"';
  writeExamples(
    "typescript",
    (example) => `examples-${example}.ts`,
    (text) => text.replace(name, '"./nodejs"'),
  );
  const files = [...Object.keys(EXAMPLES).map((example) => `examples-${example}.ts`), ...nodeFiles()];
  const options = { extends: "./nodejs/tsconfig.json", compilerOptions: { noEmit: true }, files };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(options));
  run(process.execPath, path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder);
});

/** The source files of the package for Node. */
function nodeFiles(): string[] {
  const text = readFileSync(path.join(folder, "nodejs/tsconfig.json"), "utf8");
  const [, list] = /"files": (\[[^\]]*\])/.exec(text) as unknown as [string, string];
  return (JSON.parse(list) as string[]).map((file) => `nodejs/${file}`);
}

testUnless(noGenerator ?? noPython, "the package for Python compiles", () => {
  run("python3", "-m", "compileall", "-q", "python/pulumi_deployment_control");
  const [metadata, resource] = ["pyproject.toml", "pulumi_deployment_control/deployment.py"].map((file) =>
    readFileSync(path.join(folder, "python", file), "utf8"),
  );
  expect(metadata).toContain('name = "pulumi_deployment_control"');
  expect(resource).toContain('pulumi.Alias(type_="pulumi-nodejs:dynamic/deployment-control:Deployment")');
});

testUnless(noGenerator, "the package for Go and the examples in the schema's descriptions compile", () => {
  writeExamples("go", (example) => `go/examples/${example}/main.go`);
  run(process.execPath, path.join(TOOLCHAIN, "compile-go.mjs"), path.join(folder, "go"));
});

const java = findJava();
testUnless(
  "missing" in java ? java.missing : undefined,
  "the package for Java and the examples in the schema's descriptions compile",
  () => {
    mavenProject(folder);
    const placed = (example: string) => `java/src/main/java/${example.toLowerCase()}/App.java`;
    writeExamples("java", placed, (text, example) =>
      text.replace("package generated_program;", `package ${example.toLowerCase()};`),
    );
    run("mvn", "--batch-mode", "--quiet", "--strict-checksums", "compile");
    for (const example of Object.keys(EXAMPLES))
      expect(existsSync(path.join(folder, `target/classes/${example.toLowerCase()}/App.class`))).toBe(true);
  },
);
