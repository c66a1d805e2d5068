/**
 * The environment's key goes only to the environment's service. The plugin listens on a loopback address, so every
 * user of the machine can call it.
 */
import { Engine } from "../../../support/engineStandIn";
import { failureOf, json, type Served, serving } from "../../../support/httpServer";
import { Client, closeClients, type Failed, startedProcess } from "../../../support/pluginClient";

const KEY = "key-canary-of-the-environment";
const environment = { DEPLOYMENT_CONTROL_API_KEY: KEY };

const CONFIGURED =
  "this process is already configured, and keeps its engine, base URL and credentials; for others, start another process";

const QUIET = { journal: "off", maxRetries: "0" };
const engines: Engine[] = [];
afterEach(() => {
  closeClients();
  for (const engine of engines.splice(0)) engine.end();
});

async function engineAddress(): Promise<string> {
  const engine = new Engine();
  engines.push(engine);
  return engine.start();
}

/** A service that answers look-ups and refuses creations. */
const service = (): Promise<Served> =>
  serving(({ method }, response) =>
    json(response, { resources: [], offset: 0 }, method === "GET" ? 200 : 422),
  );

/** Looks up deployments, through the connection of the provider's settings. */
const lookUp = (client: Client): Promise<unknown> =>
  client.call("invoke", { tok: "deployment-control:index:getDeployments", args: {} });

/** Creates a deployment through the run's connection. */
const create = (client: Client): Promise<unknown> => {
  const properties = {
    name: "chat",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
    revisionGeneration: 1,
    rollout: { wait: false },
  };
  const urn = "urn:pulumi:dev::shop::deployment-control:index:Deployment::chat";
  return client.call("create", { urn, properties }).catch(() => undefined);
};

const keysAt = ({ seen }: Served): boolean[] =>
  seen.map(({ headers }) => JSON.stringify(headers).includes(KEY));
test.each([
  ["base URL", { apiKey: "of-the-stack" }, { apiKey: "of-the-stack" }],
  ["base URL, with the environment's key", {}, {}],
  ["header for the key", {}, { authHeader: "X-Stranger" }],
  ["base URL in an additional connection", {}, { connections: "{}" }],
])("a running plugin refuses a stranger's configuration with a different %s", async (what, first, second) => {
  const [ours, theirs] = [await service(), await service()];
  const { port } = await startedProcess([await engineAddress()], environment);
  const [engine, stranger] = [Client.on(port), Client.on(port)];
  await engine.configure({ baseUrl: ours.url, ...QUIET, ...first });
  const baseUrl = what.startsWith("base URL") ? theirs.url : ours.url;
  const { message } = await failureOf<Failed>(stranger.configure({ baseUrl, ...QUIET, ...second }));
  expect(message).toBe(CONFIGURED);
  for (const use of [lookUp, create]) await use(stranger);
  expect(theirs.seen).toEqual([]);
  expect(keysAt(ours)).toEqual(ours.seen.map(() => true));
  expect(ours.seen.length).toBeGreaterThan(1);
});

test("the engine may configure its plugin again with the same base URL and credentials", async () => {
  const ours = await service();
  const { port } = await startedProcess([await engineAddress()], environment);
  const engine = Client.on(port);
  await engine.configure({ baseUrl: ours.url });
  await engine.configure({ baseUrl: ours.url, newRevisions: "forbid" });
  await lookUp(engine);
  expect(keysAt(ours)).toEqual([true]);
});

test("a stranger cannot end the run by attaching a configured plugin to another engine", async () => {
  const ours = await service();
  const { child, port } = await startedProcess([await engineAddress()], environment);
  const engine = Client.on(port);
  await engine.configure({ baseUrl: ours.url });
  const deadAddress = await engineAddress();
  engines.at(-1)?.end();
  const { message } = await failureOf<Failed>(Client.on(port).attach(deadAddress));
  expect(message).toBe(CONFIGURED);
  await lookUp(engine);
  await create(engine);
  expect(child.exitCode).toBeNull();
  expect(ours.seen.some(({ method }) => method === "POST")).toBe(true);
});

test("a plugin that was started by hand accepts another engine, and keeps its base URL and credentials", async () => {
  const [ours, theirs] = [await service(), await service()];
  const { port } = await startedProcess([], environment);
  const client = Client.on(port);
  for (let run = 0; run < 2; run += 1) {
    await client.attach(await engineAddress());
    await client.configure({ baseUrl: ours.url, ...QUIET });
    for (const use of [lookUp, create]) await use(client);
  }
  const { message } = await failureOf<Failed>(client.configure({ baseUrl: theirs.url, ...QUIET }));
  expect(message).toBe(CONFIGURED);
  await lookUp(client);
  expect(theirs.seen).toEqual([]);
  expect(new Set(keysAt(ours))).toEqual(new Set([true]));
});

test("an explicit provider with its own base URL uses no part of the environment's connection", async () => {
  const [ours, theirs] = [await service(), await service()];
  const whole = {
    ...environment,
    DEPLOYMENT_CONTROL_BASE_URL: ours.url,
    DEPLOYMENT_CONTROL_HEADERS: JSON.stringify({ "X-Workspace": `workspace-${KEY}` }),
    DEPLOYMENT_CONTROL_AUTH_HEADER: "X-Of-Environment",
    DEPLOYMENT_CONTROL_AUTH_SCHEME: KEY,
  };
  const { port } = await startedProcess([await engineAddress()], whole);
  const client = Client.on(port);
  await client.configure({ baseUrl: theirs.url, apiKey: "of-the-program", ...QUIET }, "west");
  for (const use of [lookUp, create]) await use(client);
  expect(ours.seen).toEqual([]);
  expect(new Set(keysAt(theirs))).toEqual(new Set([false]));
  expect(theirs.seen.map(({ headers }) => headers["x-api-key"])).toEqual(
    theirs.seen.map(() => "of-the-program"),
  );
  expect(theirs.seen.length).toBeGreaterThan(1);
});

test("an explicit provider without a base URL uses the environment's base URL and key", async () => {
  const [ours, theirs] = [await service(), await service()];
  const { port } = await startedProcess([await engineAddress()], {
    ...environment,
    DEPLOYMENT_CONTROL_BASE_URL: ours.url,
  });
  const client = Client.on(port);
  await client.configure({ apiKey: "of-the-program", ...QUIET }, "west");
  await lookUp(client);
  expect([keysAt(ours), theirs.seen]).toEqual([[true], []]);
});
