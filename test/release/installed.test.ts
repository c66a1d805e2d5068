/**
 * Runs the package as users get it: packed, and installed into an empty folder by each package manager. The Pulumi SDK
 * is the oldest supported version, the version that all other tests use, or the newest version.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { devDependencies, peerDependencies, version } from "../../package.json";
import { EXAMPLES, runs } from "../support/examples/example";
import { hosting, linesOf } from "../support/languages/hosts";
import { quickstart } from "../support/languages/quickstart";
import { packedInto, run } from "../support/packedPackage";

const ROOT = path.join(__dirname, "..", "..");
/** An installation takes minutes on a busy machine. */
const LONGEST_MS = 900_000;

const SDK = "@pulumi/pulumi";
const pinned = devDependencies[SDK];
const oldest = /^>=(\d+\.\d+\.\d+) <4$/.exec(peerDependencies[SDK])?.[1] as string;
const npmView = spawnSync("npm", ["view", SDK, "version", "--fetch-retries=1"], {
  encoding: "utf8",
  cwd: ROOT,
});
const newest = npmView.status === 0 ? npmView.stdout.trim() : undefined;

type Manager = "npm" | "pnpm" | "yarn";

const cases: readonly (readonly [manager: Manager, which: string, sdk: string])[] = [
  ["npm", "oldest", oldest],
  ["npm", "pinned", pinned],
  ["npm", "newest", newest ?? "unknown"],
  ["pnpm", "pinned", pinned],
  ["yarn", "pinned", pinned],
];

const folders: string[] = [];
function folderFor(what: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `deployment-control-${what}-`));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let archive: string;
let tools: string;
beforeAll(() => {
  archive = packedInto(folderFor("packed"));
  [tools = ""] = linesOf("../release/tools.mjs");
}, LONGEST_MS);

const install: Readonly<Record<Manager, (folder: string) => void>> = {
  npm: (folder) =>
    void run(folder, "npm", "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"),
  pnpm: (folder) => void run(folder, path.join(tools, "pnpm"), "install", "--ignore-scripts"),
  // By default, Yarn installs packages as archives. Pulumi needs `node_modules`, so this test sets that layout.
  yarn(folder) {
    writeFileSync(path.join(folder, "yarn.lock"), "");
    writeFileSync(
      path.join(folder, ".yarnrc.yml"),
      "nodeLinker: node-modules\nenableScripts: false\nenableTelemetry: false\n",
    );
    run(folder, path.join(tools, "yarn"), "install", "--no-immutable");
  },
};

/** The quick start in an empty folder, with its dependencies installed there. */
function project(manager: Manager, sdk: string): string {
  const folder = folderFor(manager);
  for (const file of ["index.ts", "tsconfig.json", "Pulumi.yaml"])
    cpSync(path.join(EXAMPLES, "quickstart", file), path.join(folder, file));
  // The project has its own compiler, as projects of `pulumi new` do: the SDK's compiler is too old for the types of
  // these packages.
  const { typescript } = devDependencies;
  const dependencies = { [SDK]: sdk, typescript, "pulumi-deployment-control": `file:${archive}` };
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "quickstart", private: true, main: "index.ts", dependencies }),
  );
  install[manager](folder);
  if (run(folder, "node", "-p", `"Stash" in require("${SDK}")`).trim() === "false") withOwnStash(folder);
  return folder;
}

/**
 * Declares `Stash` in the program: the example announces revisions with Pulumi's `Stash`, which older SDKs do not have.
 */
function withOwnStash(folder: string): void {
  const program = path.join(folder, "index.ts");
  const text = readFileSync(program, "utf8");
  const stash = `
class Stash extends pulumi.dynamic.Resource {
  constructor(name: string, properties: pulumi.Inputs) {
    const create = async (outs: object) => ({ id: "stash", outs });
    super({ create, update: async (_id, _olds, outs) => ({ outs }) }, name, properties);
  }
}
`;
  expect(text).toContain("new pulumi.Stash(");
  writeFileSync(program, text.replace("new pulumi.Stash(", "new Stash(").replace("\n\n", `\n${stash}\n`));
}

for (const [manager, which, sdk] of cases) {
  const words = `if ${manager} installs the package with the ${which} Pulumi SDK, the quick start runs as its README says`;
  if (sdk === "unknown") {
    test.skip(`${words} (skipped: no registry says which version is the newest)`, () => undefined);
    continue;
  }
  test(
    words,
    async () => {
      const folder = project(manager, sdk);
      const modules = path.join(folder, "node_modules");
      const installed = (file: string) =>
        run(folder, "node", "-p", `require("${file}/package.json").version`).trim();
      expect([installed(SDK), installed("pulumi-deployment-control")]).toEqual([sdk, version]);
      // The package must not have its own copy of the SDK. This copy would not recognize the program's outputs.
      expect(existsSync(path.join(modules, "pulumi-deployment-control", "node_modules", SDK))).toBe(false);
      const command = path.join(modules, ".bin", "deployment-control");
      expect(execFileSync(command, ["--version"], { encoding: "utf8" }).trim()).toBe(version);
      expect(readdirSync(path.join(modules, ".bin"))).toContain("pulumi-resource-deployment-control");
      await runs("quickstart", { ...quickstart, folder, environment: hosting("nodejs") });
    },
    LONGEST_MS,
  );
}
