import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runEmulator } from "../../../sdk/cli/emulator";
import { workFolder } from "../../support/adopt/command";

const root = join(__dirname, "../../..");
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const deployment = (name: string) => ({
  name,
  source: "external_docker",
  source_config: { resource_spec: { cpu: 1 } },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [],
});

function run(...args: string[]) {
  const child = spawn(process.execPath, [join(root, "dist/sdk/cli/main.js"), ...args], { cwd: root });
  children.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += chunk));
  child.stderr.on("data", (chunk) => (output.stderr += chunk));
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { child, output, exit };
}

async function listening({ output, exit }: ReturnType<typeof run>): Promise<string> {
  let ended = false;
  void exit.then(() => (ended = true));
  while (!output.stdout.includes("\n")) {
    if (ended) throw new Error(output.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(output.stdout)?.[1];
  if (!url) throw new Error(output.stdout);
  return url;
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "the emulator prints its address, and nothing else, until %s ends it",
  async (signal) => {
    const started = run("emulator", "--api-key", "k", "--page-cap=3", "--no-defaults");
    const url = await listening(started);
    expect((await fetch(`${url}/v2/deployments`)).status).toBe(401);
    const headers = { "X-Api-Key": "k", "content-type": "application/json" };
    for (const name of ["a", "b", "c", "d"])
      await fetch(`${url}/v2/deployments`, {
        method: "POST",
        headers,
        body: JSON.stringify(deployment(name)),
      });
    const { resources } = (await (await fetch(`${url}/v2/deployments`, { headers })).json()) as {
      resources: { source_config: { resource_spec: object } }[];
    };
    expect(resources).toHaveLength(3);
    expect(resources[0]?.source_config.resource_spec).toEqual({ cpu: 1 });
    started.child.kill(signal);
    expect(await started.exit).toBe(0);
    expect(started.output.stderr).toBe("");
  },
);

test("--listeners installs listeners at the start, and a restart with the same state does not install them again", async () => {
  const args = ["emulator", "--listeners", "cluster-1,cluster-2", "--data", join(workFolder(), "state.json")];
  for (const _ of ["first", "again"]) {
    const started = run(...args);
    const { resources } = (await (await fetch(`${await listening(started)}/v2/listeners`)).json()) as {
      resources: { compute_id: string }[];
    };
    expect(resources.map(({ compute_id }) => compute_id).sort()).toEqual(["cluster-1", "cluster-2"]);
    started.child.kill("SIGTERM");
    await started.exit;
  }
});

test.each([
  [["--prot", "1"], "Unknown option '--prot'; see deployment-control emulator --help"],
  [["--no-prot"], "Unknown option '--no-prot'"],
  [["--port", "many"], '--port: got "many"; allowed: an integer from 0 to 65535'],
  [["--port"], "Option '--port <value>' argument missing"],
  [["--hosting", "moon"], '--hosting: got "moon"; allowed: "any", "cloud", "self-hosted"'],
  [["--defaults=false"], "Option '--defaults' does not take an argument"],
  [["now"], "Unexpected argument 'now'"],
])("%j is refused, and the error says what is allowed", async (args, message) => {
  await expect(runEmulator(args)).rejects.toThrow(message);
});

test.each([
  [["simulation"], "unknown command simulation\n"],
  [["emulater"], 'unknown command emulater. Did you mean "emulator"?'],
  [[], "a command is missing"],
])("the command line %j exits with 1 and lists the commands", async (args, message) => {
  const { output, exit } = run(...args);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain(`deployment-control: ${message}`);
  expect(output.stderr).toContain("usage: deployment-control COMMAND");
  expect(output.stdout).toBe("");
});

test("--log prints each request's method, path, status and time on standard error, but no query, header or body", async () => {
  const { output, ...started } = run("emulator", "--log", "--api-key", "key-of-caller");
  const url = await listening({ output, ...started });
  const headers = { "X-Api-Key": "key-of-caller", "content-type": "application/json" };
  const body = JSON.stringify({
    name: "chat",
    source: "repohost",
    secrets: [{ name: "A", value: "in-body" }],
  });
  await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
  await fetch(`${url}/v2/deployments?name=in-query`, { headers: { "X-Api-Key": "another-key" } });
  started.child.kill("SIGTERM");
  await started.exit;
  expect(output.stderr.replace(/\d+ ms$/gm, "N ms").split("\n")).toEqual([
    "POST /v2/deployments 201 N ms",
    "GET /v2/deployments 403 N ms",
    "",
  ]);
});

test.each(["--version", "-v"])("%s prints the package's version", async (flag) => {
  const { output, exit } = run(flag);
  expect(await exit).toBe(0);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(output.stdout).toBe(`${version}\n`);
});

test("if the shell in which npx started the emulator is killed, the emulator ends too; without npx, it keeps running", async () => {
  const main = join(root, "dist/sdk/cli/main.js");
  const command = `"${process.execPath}" "${main}" emulator & echo $! >&2; wait`;
  for (const npm_command of ["exec", undefined]) {
    const child = spawn("sh", ["-c", command], { env: { PATH: process.env.PATH, npm_command } });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (output.stdout += chunk));
    child.stderr.on("data", (chunk) => (output.stderr += chunk));
    // The pipe closes when the emulator itself ends.
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const url = await listening({ child, output, exit } as never);
    child.kill("SIGKILL");
    if (npm_command === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect((await fetch(url)).status).toBe(404);
      process.kill(Number(output.stderr));
    }
    await exit;
    await expect(fetch(url)).rejects.toThrow();
  }
});
