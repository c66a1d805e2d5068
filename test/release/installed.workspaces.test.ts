/**
 * Runs programs in typical workspaces: only a component's package depends on this package, and each
 * package manager installs the workspace with its own layout of `node_modules`.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { devDependencies } from "../../package.json";
import type { Emulator } from "../../sdk/emulator/index";
import { started } from "../support/embeddedService";
import { ProjectStack } from "../support/examples/projectStack";
import { hosting, linesOf } from "../support/languages/hosts";
import { packedInto, run } from "../support/packedPackage";

/** An installation takes minutes on a busy machine. */
const LONGEST_MS = 900_000;
const SDK = "@pulumi/pulumi";
const YARN_1 = "yarn@1.22.22";
const BUN = "bun@1.4.5";

const home = mkdtempSync(path.join(os.tmpdir(), "deployment-control-workspaces-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let archive: string;
let tools: string;
beforeAll(() => {
  archive = packedInto(home);
  [tools = ""] = linesOf("../release/tools.mjs");
}, LONGEST_MS);

const npm = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
const yarn4 = (linker: string): string =>
  `nodeLinker: ${linker}\nenableScripts: false\nenableTelemetry: false\n`;
const WORKSPACES = "packages:\n  - packages/*\n";

interface Layout {
  /** Files of the workspace in addition to `package.json`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest?: object;
  readonly install: (folder: string) => unknown;
  /** Whether the programs themselves can load the copy of this package that the components load. */
  readonly hoists: boolean;
}

const pnpm = (folder: string) => run(folder, path.join(tools, "pnpm"), "install", "--ignore-scripts");
const yarn = (folder: string) => run(folder, path.join(tools, "yarn"), "install", "--no-immutable");
const yarn1 = (folder: string) =>
  run(folder, "npm", "exec", "--yes", `--package=${YARN_1}`, "--", "yarn", "install", "--ignore-scripts");
const bun = (linker: string) => (folder: string) =>
  // The `bun` package fetches the executable in an install script.
  run(
    folder,
    "npm",
    ...["exec", "--yes", "--ignore-scripts=false", `--package=${BUN}`, "--"],
    ...["bun", "install", "--ignore-scripts", `--linker=${linker}`],
  );
const layouts: Readonly<Record<string, Layout>> = {
  npm: { install: (folder) => run(folder, "npm", ...npm), hoists: true },
  "npm with linked packages": {
    install: (folder) => run(folder, "npm", ...npm, "--install-strategy=linked"),
    hoists: false,
  },
  pnpm: { files: { "pnpm-workspace.yaml": WORKSPACES }, install: pnpm, hoists: false },
  "pnpm without any hoisting": {
    files: { "pnpm-workspace.yaml": WORKSPACES, ".npmrc": "hoist=false\n" },
    install: pnpm,
    hoists: false,
  },
  "yarn 1": { install: yarn1, hoists: true },
  "yarn 1 without hoisting": {
    manifest: {
      workspaces: {
        packages: ["packages/*"],
        nohoist: ["**/pulumi-deployment-control", "**/pulumi-deployment-control/**"],
      },
    },
    install: yarn1,
    hoists: false,
  },
  "yarn 4": {
    files: { ".yarnrc.yml": yarn4("node-modules"), "yarn.lock": "" },
    install: yarn,
    hoists: true,
  },
  "yarn 4 with links": {
    files: { ".yarnrc.yml": yarn4("pnpm"), "yarn.lock": "" },
    install: yarn,
    hoists: false,
  },
  bun: { install: bun("hoisted"), hoists: true },
  "bun without hoisting": { install: bun("isolated"), hoists: false },
};

const COMPONENT = (deployment: string) => `
class Agent extends pulumi.ComponentResource {
  constructor(name, repoRef) {
    super("acme:index:Agent", name, {});
    new ${deployment}(name, {
      name,
      source: "repohost",
      sourceConfig: { repoUrl: "https://repohost.example.test/acme/agent" },
      sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" },
    }, { parent: this });
    this.registerOutputs();
  }
}
`;

/** The packages of the workspace: a component in each module system, and programs that use only the components. */
const packages: Readonly<Record<string, { manifest: object; files: Readonly<Record<string, string>> }>> = {
  agents: {
    manifest: { name: "@acme/agents", main: "index.js" },
    files: {
      "index.js": `const pulumi = require("${SDK}");
const { Deployment } = require("pulumi-deployment-control");
${COMPONENT("Deployment")}
exports.Agent = Agent;`,
    },
  },
  "agents-esm": {
    manifest: { name: "@acme/agents-esm", type: "module", exports: { import: "./index.js" } },
    files: {
      "index.js": `import * as pulumi from "${SDK}";
import { Deployment } from "pulumi-deployment-control";
export ${COMPONENT("Deployment").trim()}`,
    },
  },
  commonjs: {
    manifest: { main: "index.js", dependencies: { "@acme/agents": "*" } },
    files: {
      "index.js": `const { Agent } = require("@acme/agents");
const pulumi = require("${SDK}");
new Agent("chat", new pulumi.Config().get("repoRef") ?? "main");`,
    },
  },
  esm: {
    manifest: { type: "module", main: "index.js", dependencies: { "@acme/agents-esm": "*" } },
    files: {
      "index.js": `import { Agent } from "@acme/agents-esm";
import * as pulumi from "${SDK}";
new Agent("chat", new pulumi.Config().get("repoRef") ?? "main");`,
    },
  },
  automation: {
    manifest: { type: "module", dependencies: { "@acme/agents-esm": "*" } },
    files: {
      "run.js": `import { LocalWorkspace } from "${SDK}/automation/index.js";
import { Agent } from "@acme/agents-esm";
let repoRef = "main";
const program = async () => void new Agent("chat", repoRef);
const stack = await LocalWorkspace.createOrSelectStack(
  { stackName: "test", projectName: "automation", program },
  { workDir: process.cwd() },
);
const changes = [(await stack.up()).summary.resourceChanges];
repoRef = "release";
changes.push((await stack.up()).summary.resourceChanges);
await stack.refresh();
changes.push((await stack.destroy()).summary.resourceChanges);
console.log(JSON.stringify(changes));`,
    },
  },
};

const isComponent = (name: string): boolean => name.startsWith("agents");

function workspaceOf(layout: string): string {
  const { files = {}, manifest = { workspaces: ["packages/*"] }, install } = layouts[layout] as Layout;
  const folder = mkdtempSync(path.join(home, "workspace-"));
  const write = (name: string, contents: string | object) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof contents === "string" ? contents : JSON.stringify(contents));
  };
  write("package.json", { name: "workspace", private: true, ...manifest });
  for (const [name, contents] of Object.entries(files)) write(name, contents);
  const isPnpm = "pnpm-workspace.yaml" in files;
  for (const [name, { manifest: own, files: programs }] of Object.entries(packages)) {
    const { dependencies = {} } = own as { dependencies?: object };
    const components = Object.keys(dependencies).map((each) => [each, isPnpm ? "workspace:*" : "*"]);
    const ours = isComponent(name) ? { "pulumi-deployment-control": `file:${archive}` } : {};
    write(`packages/${name}/package.json`, {
      name: `program-${name}`,
      version: "1.0.0",
      private: true,
      ...own,
      dependencies: { [SDK]: devDependencies[SDK], ...Object.fromEntries(components), ...ours },
    });
    for (const [file, contents] of Object.entries(programs)) write(`packages/${name}/${file}`, contents);
    if (!isComponent(name) && name !== "automation")
      write(`packages/${name}/Pulumi.yaml`, `name: ${name}\nruntime: nodejs\n`);
  }
  install(folder);
  return folder;
}

const finished = promisify(execFile);

/** The distinct strings of provider code in the state. */
function codeIn(stackHome: string, project: string): string[] {
  const file = path.join(stackHome, "state", ".pulumi", "stacks", project, "test.json");
  const { resources } = JSON.parse(readFileSync(file, "utf8")).checkpoint.latest;
  // biome-ignore lint/suspicious/noExplicitAny: a resource in the state has any properties.
  const codes = resources.flatMap(({ inputs, outputs }: any) => [inputs?.__provider, outputs?.__provider]);
  return [...new Set<string>(codes.filter(Boolean))];
}

const revisions = (emulator: Emulator): number[] =>
  emulator.deployments().map((each) => each.revisions.length);

describe.each(Object.keys(layouts))(
  "in a workspace of %s in which only a component depends on the package",
  (name) => {
    let workspace: string;
    beforeAll(() => {
      workspace = workspaceOf(name);
    }, LONGEST_MS);

    test(
      "the program can load the component's copy of the package if and only if the layout hoists packages",
      () => {
        const { hoists } = layouts[name] as Layout;
        const script = `try { console.log(require.resolve("pulumi-deployment-control/provider")) } catch { console.log() }`;
        const [ofProgram, ofComponent] = ["commonjs", "agents"].map((each) =>
          run(path.join(workspace, "packages", each), "node", "-e", script).trim(),
        );
        expect([ofComponent, ofProgram === ofComponent]).toEqual([
          expect.stringContaining("provider"),
          hoists,
        ]);
      },
      LONGEST_MS,
    );

    test.each(["commonjs", "esm"])(
      "a program in %s can be applied, changed, refreshed and destroyed",
      async (program) => {
        const emulator = await started();
        const folder = path.join(workspace, "packages", program);
        const environment = { ...hosting("nodejs"), DEPLOYMENT_CONTROL_BASE_URL: emulator.url };
        const stack = await ProjectStack.of(folder, environment);
        expect(await stack.run("up", "--yes")).toContain("created");
        await stack.set(`${program}:repoRef`, "release", false);
        expect(await stack.run("up", "--yes")).toContain("updated");
        expect(revisions(emulator)).toEqual([2]);
        expect(await stack.run("up", "--yes")).toMatch(/\d unchanged\n/);
        const codes = codeIn(stack.home, program);
        expect(codes.join()).not.toContain(path.basename(workspace));
        await stack.run("refresh", "--yes");
        expect(await stack.run("destroy", "--yes")).toContain("deleted");
      },
      LONGEST_MS,
    );

    test(
      "an Automation API program can be applied, changed, refreshed and destroyed",
      async () => {
        const emulator = await started();
        const folder = path.join(workspace, "packages", "automation");
        const state = mkdtempSync(path.join(home, "state-"));
        const env = {
          ...process.env,
          ...hosting("nodejs"),
          PULUMI_BACKEND_URL: `file://${state}`,
          PULUMI_CONFIG_PASSPHRASE: "test",
          DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
        };
        const { stdout, stderr } = await finished("node", ["run.js"], { cwd: folder, env });
        const changes = stdout.trim().split("\n").at(-1) ?? "";
        expect([stderr, JSON.parse(changes)]).toMatchObject([
          expect.anything(),
          [{ create: 3 }, { update: 1 }, { delete: 3 }],
        ]);
        expect(revisions(emulator)).toEqual([2]);
      },
      LONGEST_MS,
    );
  },
);
