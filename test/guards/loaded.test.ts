/** Checks which files of the built package are loaded by the processes of a plan. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import * as ts from "typescript";

const ROOT = path.join(__dirname, "../..");
const DIST = path.join(ROOT, "dist");

/**
 * The files that the code loads, without the files of Pulumi's SDK, which every program and every dynamic provider
 * loads.
 */
function loadedBy(code: string): string[] {
  const whole = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    (async () => { ${code} })().then(() => {
      const loaded = Object.keys(require.cache).filter((file) => !before.has(file));
      console.log(JSON.stringify(loaded));
    });`;
  const env = { ...process.env, DEPLOYMENT_CONTROL_BASE_URL: "http://127.0.0.1:1" };
  const printed = execFileSync(process.execPath, ["-e", whole], { cwd: ROOT, env, encoding: "utf8" });
  return (JSON.parse(printed) as string[]).map((file) => path.relative(DIST, file));
}

const inputs = {
  __urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/deployment-control:Deployment::chat",
  name: "chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, labels: { team: "chat" } } },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { KEY: "a-secret-value" },
};

/** Plans an unchanged Deployment as the dynamic host does. */
const PLAN = `
  const { deployment } = require("./dist/provider");
  await deployment.configure({ config: { get: () => undefined } });
  const first = await deployment.check({}, ${JSON.stringify(inputs)});
  const { inputs, failures } = await deployment.check(first.inputs, ${JSON.stringify(inputs)});
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  const state = { ...inputs, serviceUrl: process.env.DEPLOYMENT_CONTROL_BASE_URL };
  const { changes } = await deployment.diff("an-id", state, inputs);
  if (changes) throw new Error("the same arguments are a change");`;

test("the dynamic provider is one file: a plan loads no other file of ours or of a package", () => {
  expect(loadedBy(PLAN)).toEqual([path.join("provider", "index.js")]);
});

test("the import in a program loads no package but Pulumi's SDK", () => {
  const loaded = loadedBy('require("./dist/sdk")');
  expect(loaded).toContain(path.join("sdk", "resources", "deployment.js"));
  expect(loaded.filter((file) => file.startsWith(".."))).toEqual([]);
});

test("the type declarations of the package's entry points import nothing from zod", () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const target = path.resolve(path.dirname(file), name);
      visit(existsSync(`${target}.d.ts`) ? `${target}.d.ts` : path.join(target, "index.d.ts"));
    }
  };
  const entries = ["sdk", "sdk/emulator", "sdk/testing", "provider", "provider/client"];
  for (const entry of entries) visit(path.join(DIST, entry, "index.d.ts"));
  expect(reached).toContain(path.join(DIST, "provider", "schema", "kind.d.ts"));
  expect([...reached].filter((file) => /["']zod/.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("no process loads the provider twice, because the bundled file and the compiled files do not name each other", () => {
  const scripts = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  const entry = path.join(DIST, "provider", "index.js");
  const named = scripts.flatMap((script) => {
    const file = path.join(DIST, script);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
    const targets = importedFiles.map(({ fileName }) => fileName).filter((name) => /^\.|^pulumi-/.test(name));
    return targets.map((name) => [file, createRequire(file).resolve(name)]);
  });
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter((names) => names.includes(entry))).toEqual([]);
});
