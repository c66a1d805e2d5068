/**
 * Runs the recipes in a folder that lacks the package, as on the branch that the first pull request with it goes to,
 * with a registry that offers a stranger's package under the command's name. The commands npm and npx are real.
 */
import { exec } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { action, use } from "../support/recipes/action";
import { runJob } from "../support/recipes/component";
import { folderWith, standIn } from "../support/recipes/workflows";

const shell = promisify(exec);
const STRANGER = "deployment-control";
const MISSING = "pulumi-deployment-control is not installed: add it to package.json";

let registry: Server;
let folder = "";
let environment: NodeJS.ProcessEnv = {};
const asked: string[] = [];
const at = (...names: string[]): string => path.join(folder, ...names);

beforeEach(async () => {
  asked.length = 0;
  registry = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { port } = registry.address() as AddressInfo;
    const version = {
      name: STRANGER,
      version: "1.0.0",
      bin: { [STRANGER]: "run.js" },
      dist: { tarball: `http://127.0.0.1:${port}/stranger.tgz`, shasum: "0".repeat(40) },
    };
    const listing = { name: STRANGER, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
    response.writeHead(url === `/${STRANGER}` ? 200 : 404).end(JSON.stringify(listing));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => registry.once("listening", resolve));
  folder = folderWith({});
  rmSync(at("node_modules"), { recursive: true });
  mkdirSync(at("work"));
  const project = { name: "agents", version: "1.0.0" };
  writeFileSync(at("work", "package.json"), JSON.stringify(project));
  const lock = { ...project, lockfileVersion: 3, packages: { "": project } };
  writeFileSync(at("work", "package-lock.json"), JSON.stringify(lock));
  for (const name of ["gh", "curl"]) standIn(folder, name, `touch "${at("called")}"`);
  environment = {
    PATH: `${at("bin")}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: folder,
    npm_config_cache: at("cache"),
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
    npm_config_update_notifier: "false",
  };
});
afterEach(() => registry.close());

test.each(["setup", "review"])(
  "the action with the command %s ends before anything else runs",
  async (command) => {
    const github = { event: {}, token: "t" };
    const inputs = { command, stack: "production" };
    const { code, output, ran } = await use({ inputs, github, folder: at("work"), env: environment });
    expect([code, output]).toEqual([1, expect.stringContaining(`::error::${MISSING}`)]);
    expect(ran.at(-1)).toBe("Packages");
    expect(asked).toEqual([]);
  },
);

const jobs = ["deployment-control-preview", "deployment-control-plan", "deployment-control-apply"];

test.each(jobs)("the component's job %s ends before its script runs", async (job) => {
  const { code, text } = await runJob(job, at("work"), environment);
  expect([code, text]).toEqual([1, expect.stringContaining(MISSING)]);
  expect(asked).toEqual([]);
});

test("a command of the recipes fetches nothing of the stranger's package", async () => {
  const commands = JSON.stringify(action).match(/npx [-\w]+ deployment-control \w+/g) ?? [];
  expect(commands.length).toBeGreaterThan(4);
  const [command = ""] = commands;
  await expect(shell(command, { cwd: at("work"), env: environment })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("npx canceled due to missing packages"),
  });
  expect(asked).toEqual([`/${STRANGER}`]);
});
