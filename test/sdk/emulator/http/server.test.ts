import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../../../sdk/emulator/index";
import { agent, ask, created, revisionsOf, started, stoppedClock } from "../../../support/embeddedService";

test("if a key is set, a caller without a key gets 401, and a caller with a wrong key gets 403", async () => {
  const emulator = await started({ apiKey: "good" });
  const status = async (headers: Record<string, string>) =>
    (await ask(emulator, "GET", "/v2/deployments", undefined, headers)).status;
  expect(await status({})).toBe(401);
  expect(await status({ "X-Api-Key": "bad" })).toBe(403);
  expect(await status({ "x-api-key": "good" })).toBe(200);
  Object.assign(emulator.behaviour, { authHeader: "Authorization", apiKey: "Bearer good" });
  expect(await status({ "X-Api-Key": "good" })).toBe(401);
  expect(await status({ Authorization: "Bearer good" })).toBe(200);
});

test("requests are recorded with the status of their answers", async () => {
  const start = Date.now();
  const emulator = await started();
  await created(emulator);
  await ask(emulator, "GET", "/v2/deployments?limit=0&name=a%20b", undefined, { "X-Extra": "1" });
  expect(emulator.requests).toHaveLength(2);
  expect(emulator.requests[0]).toMatchObject({
    method: "POST",
    path: "/v2/deployments",
    body: agent,
    status: 201,
  });
  expect(emulator.requests[1]).toMatchObject({
    method: "GET",
    query: { limit: "0", name: "a b" },
    status: 422,
    headers: { "x-extra": "1" },
  });
  expect(emulator.requests[1]?.at).toBeGreaterThanOrEqual(start);
});

test("closing the emulator cuts idle and delayed connections at once", async () => {
  const emulator = await startEmulator({ latencyMs: 600_000 });
  const delayed = fetch(`${emulator.url}/v2/deployments`).catch(() => "cut");
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  const ended = new Promise((resolve) => socket.once("close", resolve).once("error", resolve));
  await new Promise((resolve) => socket.once("connect", resolve));
  // Neither connection would end by itself before the test times out.
  await emulator.close();
  expect(await delayed).toBe("cut");
  await ended;
});

test("an unknown option or a bad value is refused, and the error names the option", async () => {
  await expect(startEmulator({ pagecap: 1 } as never)).rejects.toThrow(
    "option pagecap: is not an option; did you mean pageCap?",
  );
  await expect(startEmulator({ profile: "other" as never })).rejects.toThrow("option profile");
  await expect(startEmulator({ data: "/no/such/folder/state.json" })).rejects.toThrow(
    /^option data: ENOENT.*; choose a file in a folder that exists and can be written$/,
  );
  await expect(startEmulator({ data: tmpdir() })).rejects.toThrow(/^option data: E\w+: .*; choose a file/);
});

test("if the port is taken, the emulator does not start", async () => {
  const emulator = await started();
  await expect(startEmulator({ port: Number(new URL(emulator.url).port) })).rejects.toThrow("EADDRINUSE");
});

describe("with a state file", () => {
  const directory = mkdtempSync(join(tmpdir(), "emulator-"));
  const stateFile = join(directory, "state.json");
  afterAll(() => rmSync(directory, { recursive: true }));

  test("a restart keeps the state, and revisions progress even while the emulator is down", async () => {
    const clock = stoppedClock();
    const before = await startEmulator({ data: stateFile, revisionSeconds: 1 });
    const deployment = await created(before);
    before.addListener({ compute_id: "one" });
    expect(before.deployments()[0]?.revisions[0]?.status).not.toBe("DEPLOYED");
    await before.close();
    clock.pass(1_050);
    const after = await started({ data: stateFile });
    expect(after.deployments()[0]).toMatchObject({ id: deployment.id, secrets: agent.secrets });
    const [revision] = await revisionsOf(after, deployment.id);
    expect(revision).toMatchObject({ id: after.deployments()[0]?.latest_revision_id, status: "DEPLOYED" });
    expect((await ask(after, "GET", "/v2/listeners")).body.resources).toHaveLength(1);
  });

  test("a change is in the state file before the request is answered, and the folder holds no other file", async () => {
    const emulator = await started({ data: stateFile });
    const { id } = await created(emulator);
    expect(readFileSync(stateFile, "utf8")).toContain(id);
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_config: { install_command: "written" } });
    expect(readFileSync(stateFile, "utf8")).toContain('"written"');
    expect(readdirSync(directory)).toEqual(["state.json"]);
  });

  test("a state file of a different profile, or a file without a state, is refused, and the error names the file", async () => {
    await expect(startEmulator({ data: stateFile, profile: "langsmith" })).rejects.toThrow(
      `${stateFile} was written with profile contract`,
    );
    const other = join(directory, "other.json");
    writeFileSync(other, '{"half":');
    await expect(startEmulator({ data: other })).rejects.toThrow(`${other} holds no state`);
    expect(readFileSync(other, "utf8")).toBe('{"half":');
    rmSync(other);
  });
});

test("the log has a line for each request, even for a request whose connection is dropped", async () => {
  const lines: string[] = [];
  const emulator = await started({ log: (line) => lines.push(line.replace(/\d+ ms$/, "N ms")) });
  emulator.failNext({ kind: "drop-before", match: { pathPattern: /listeners/ } });
  await ask(emulator, "GET", "/v2/deployments");
  await expect(ask(emulator, "GET", "/v2/listeners")).rejects.toThrow();
  await emulator.close();
  expect(lines).toEqual(["GET /v2/deployments 200 N ms", "GET /v2/listeners dropped N ms"]);
});
