/** Checks which files of the built package a plan's processes load. */
import { execFileSync } from "node:child_process";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");
const DIST = path.join(ROOT, "dist");

/**
 * The files that the code loads, except those of Pulumi's SDK. Every program and every dynamic provider loads the SDK.
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

test("the dynamic provider is one file: a plan loads no other file of this package or of a dependency", () => {
  expect(loadedBy(PLAN)).toEqual([path.join("provider", "index.js")]);
});

test("a program's import of this package loads no package except Pulumi's SDK", () => {
  const loaded = loadedBy('require("./dist/sdk")');
  expect(loaded).toContain(path.join("sdk", "resources", "deployment.js"));
  expect(loaded.filter((file) => file.startsWith(".."))).toEqual([]);
});
