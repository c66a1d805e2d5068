import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get } from "node:http";
import { type Emulator, startEmulator } from "../../../sdk/emulator";
import { ask, created, started } from "../../support/embeddedService";

test("a control call needs the service's key, or a loopback Host header if the service has no key", async () => {
  const locked = await started({ apiKey: "key" });
  const state = async (emulator: Emulator, headers: object) => {
    const { port } = new URL(emulator.url);
    const request = get({
      host: "127.0.0.1",
      port,
      path: "/_emulator/state",
      headers: { "sec-fetch-mode": "cors", ...headers },
    });
    const [response] = await once(request, "response");
    response.resume();
    return response.statusCode;
  };
  expect(await state(locked, {})).toBe(403);
  expect(await state(locked, { "X-Api-Key": "other" })).toBe(403);
  expect(await state(locked, { "X-Api-Key": "key" })).toBe(200);
  const open = await started();
  for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost:80@evil.example"])
    expect(await state(open, { host })).toBe(403);
  for (const host of ["localhost", "127.0.0.1:1", "[::1]:80"]) expect(await state(open, { host })).toBe(200);
});

test.each(["0.0.0.0", "::"])(
  "a service without a key does not listen on all addresses (%s)",
  async (host) => {
    await expect(startEmulator({ host })).rejects.toThrow("option host: listening on all addresses needs");
    const emulator = await startEmulator({ host, apiKey: "key" });
    await emulator.close();
  },
);

test("another process can control the service over HTTP, and these requests are not recorded", async () => {
  const emulator = await started({ apiKey: "key" });
  const control = (path: string, body?: object) =>
    ask(emulator, body ? "POST" : "GET", `/_emulator/${path}`, body, { "X-Api-Key": "key" });
  await control("behaviour", { apiKey: null, patch: "replace" });
  expect(emulator.behaviour).toMatchObject({ apiKey: undefined, patch: "replace" });
  const { id } = await created(emulator);

  const pushed = await control("push", { deploymentId: id, repoRef: "next" });
  expect(pushed.body.source_revision_config.repo_ref).toBe("next");
  await control("listeners", { compute_id: "one" });
  await control("repositories", { integrationId: randomUUID(), repositories: [{ owner: "a", name: "b" }] });
  await control("tokens", { id: "t" });
  await control("change", { deploymentId: id, patch: { image_version: "9" } });
  await control("settle", { deploymentId: id, status: "DEPLOY_FAILED" });
  expect((await control("seed", { count: 2 })).body).toHaveLength(2);
  const { body: state } = await control("state");
  expect(state.deployments).toHaveLength(3);
  expect(state.deployments[2]).toMatchObject({
    image_version: "9",
    secrets: [{ value: "two" }, { value: "one" }],
  });
  expect(state.deployments[2].revisions[0].status).toBe("DEPLOY_FAILED");
  expect(
    [state.listeners, state.tokens, Object.keys(state.repositories)].map(({ length }) => length),
  ).toEqual([1, 1, 1]);

  await control("fail", { kind: "status", status: 418, match: { pathPattern: "^/v2/listeners" } });
  expect((await ask(emulator, "GET", "/v2/deployments")).status).toBe(200);
  expect((await ask(emulator, "GET", "/v2/listeners")).status).toBe(418);
  await control("remove", { deploymentId: id });
  expect(emulator.deployments()).toHaveLength(2);
  const { body: requests } = await control("requests");
  expect(requests.map(({ path }: { path: string }) => path)).toEqual([
    "/v2/deployments",
    "/v2/deployments",
    "/v2/listeners",
  ]);
});

test("an operation that cannot be done is refused, and the error says why", async () => {
  const emulator = await started();
  const refused = async (path: string, body: object) => {
    const answer = await ask(emulator, "POST", `/_emulator/${path}`, body);
    return [answer.status, JSON.stringify(answer.body)];
  };
  expect(await refused("behaviour", { pagecap: 1 })).toEqual([
    422,
    expect.stringContaining("option pagecap: is not an option; did you mean pageCap?"),
  ]);
  expect(await refused("behaviour", { pageCap: 0, apiKey: 7 })).toEqual([
    422,
    expect.stringContaining(
      "option apiKey: got a number (secret, so not shown); allowed: a string that is not empty; option pageCap: got 0 (a number); allowed: an integer of at least 1",
    ),
  ]);
  expect(await refused("fail", { kind: "html", match: { pathPatern: "x" } })).toEqual([
    422,
    expect.stringContaining('"loc":["body","match","pathPatern"]'),
  ]);
  expect(await refused("settle", { deploymentId: "", status: "DEPLOYED" })).toEqual([
    422,
    expect.stringContaining('"loc":["body","deploymentId"]'),
  ]);
  expect(await refused("fail", { kind: "explode" })).toEqual([422, expect.stringContaining("unknown kind")]);
  expect(await refused("push", { deploymentId: randomUUID() })).toEqual([
    404,
    expect.stringContaining("not found"),
  ]);
  expect(await refused("nothing", {})).toEqual([404, expect.any(String)]);
});

test("seed adds thousands of deployments, each with a revision that serves", async () => {
  const emulator = await started({ revisionSeconds: 30 });
  emulator.seed(2000);
  const { body } = await ask(emulator, "GET", "/v2/deployments?limit=1");
  expect(body.resources[0]).toMatchObject({ name: "seed-2000", status: "READY" });
  expect(body.resources[0].active_revision_id).toBe(body.resources[0].latest_revision_id);
});
