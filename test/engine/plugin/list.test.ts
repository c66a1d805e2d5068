/** Checks that `pulumi do … list` prints an account's deployments and listeners, with and without a project. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectionOf } from "../../../provider/client/connection";
import { readAccount } from "../../../sdk/adopt/read/account";
import type { Emulator } from "../../../sdk/emulator/index";
import { ran } from "../../support/adopt/command";
import { CommandProject, KEY } from "../../support/engine/commandProject";
import { service } from "../../support/engine/stack";

const PLUGIN = path.join(__dirname, "../../../dist/plugin/pulumi-resource-deployment-control");
const folder = mkdtempSync(path.join(tmpdir(), "list-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
const commandOf = (type: string, ...args: readonly string[]) => [
  ...["do", `deployment-control:index:${type}`, "list", "--package", PLUGIN],
  ...args,
];

/** Runs the command in a folder without a project. */
async function list(emulator: Emulator, type: string, ...args: readonly string[]) {
  const environment = {
    PATH: process.env.PATH,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    DEPLOYMENT_CONTROL_API_KEY: KEY,
  };
  const { code, out, errors } = await ran("pulumi", commandOf(type, ...args), folder, environment);
  return { errors, entries: code === 0 ? JSON.parse(out) : [] };
}

test("the command prints the same ids as adopt, in the same order, whether it prints one page, --count ids or all ids", async () => {
  const emulator = await service({ apiKey: KEY });
  emulator.seed(130);
  const listener = emulator.addListener({ compute_type: "k8s", compute_id: "cluster" });
  const options = { baseUrl: emulator.url, apiKey: KEY };
  const { deployments } = await readAccount(
    connectionOf({ name: undefined, prefix: "", howToSet: "" }, options),
  );
  const all = deployments.map(({ id, values: { name } }) => ({ id, name }));
  expect(await list(emulator, "Deployment")).toEqual({ errors: "", entries: all });
  expect(await list(emulator, "Deployment", "--count", "120")).toEqual({
    errors: "",
    entries: all.slice(0, 120),
  });
  emulator.requests.length = 0;
  expect(await list(emulator, "Deployment", "--all")).toEqual({ errors: "", entries: all });
  // The command reads the list once, in two pages.
  expect(emulator.requests.map(({ path, query }) => [path, query.offset])).toEqual([
    ["/v2/deployments", "0"],
    ["/v2/deployments", "100"],
  ]);
  expect((await list(emulator, "Listener")).entries).toEqual([{ id: listener.id, name: "cluster" }]);
});

test("in a project, the command uses the connection of the provider that --provider names", async () => {
  const emulator = await service({ apiKey: KEY });
  emulator.seed(1);
  const project = await CommandProject.on(
    emulator,
    `new Deployment("chat", { name: "chat", source: "external_docker",
       sourceRevisionConfig: { imageUri: "registry.example/chat:1" } });`,
    {},
  );
  await project.up();
  const { resources } = JSON.parse(await project.pulumi("stack", "export")).deployment;
  const { urn } = resources.find(
    ({ type }: { type: string }) => type === "pulumi:providers:deployment-control",
  );
  const out = await project.pulumi(...commandOf("Deployment", "--provider", urn));
  expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(["seed-0001", "chat"]);
  expect(out).not.toContain(KEY);
});
