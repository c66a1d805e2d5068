import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { RetryQuota } from "../../provider/client/retry";
import { EngineRun } from "../../provider/run/run";
import { type BadServer, badServer } from "../support/faults/badServer";
import { tellFigures } from "../support/faults/size";
import { chat, hastyClock } from "../support/providerRun";
import { deployment } from "../support/resourceCalls";

const RESOURCES = 100;
/** Number of a stack's operations that the engine runs at a time. */
const AT_ONCE = 8;
const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

const OUTAGES: { readonly [name: string]: (server: BadServer["server"]) => void } = {
  "nobody listening": (server) => void server.close(),
  "connections cut": (server) => void server.on("request", (_, response) => response.destroy()),
  "503": (server) => void server.on("request", (_, response) => response.writeHead(503).end()),
  "503 with Retry-After": (server) =>
    void server.on("request", (_, response) => response.writeHead(503, { "retry-after": "1" }).end()),
  "502 with a page": (server) =>
    void server.on("request", (_, response) => response.writeHead(502).end("<h1>Bad gateway</h1>")),
};

const state = (url: string, index: number) => ({ ...chat, name: `chat-${index}`, id: ID, serviceUrl: url });
type Operation = (session: EngineRun, url: string, index: number) => Promise<unknown>;
const OPERATIONS: { readonly [name: string]: Operation } = {
  create: (session, _url, index) => deployment.create(session, { ...chat, name: `chat-${index}` }),
  read: (session, url, index) => deployment.read(session, ID, state(url, index)),
  update: (session, url, index) =>
    deployment.update(session, ID, state(url, index), {
      ...state(url, index),
      sourceRevisionConfig: { repoRef: "new" },
    }),
};

/** Number of requests sent during a total outage, and of operations that nevertheless succeeded. */
async function outage(breakIt: (server: BadServer["server"]) => void, operation: Operation) {
  let [requests, well] = [0, 0];
  const count = () => {
    requests += 1;
  };
  subscribe("undici:request:create", count);
  const { url, server, close } = await badServer();
  breakIt(server);
  const source = (key: string) => ({ baseUrl: url, journal: "off" })[key];
  const session = new EngineRun(source, { info: async () => {}, warn: async () => {} }, hastyClock);
  let next = 0;
  const worker = async () => {
    while (next < RESOURCES) {
      next += 1;
      await operation(session, url, next).then(
        () => {
          well += 1;
        },
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  unsubscribe("undici:request:create", count);
  await session.service(undefined).endpoints.close();
  await close();
  return { requests, well };
}

const cases = Object.keys(OUTAGES).flatMap((kind) =>
  Object.keys(OPERATIONS).map((name) => [kind, name] as const),
);
let [most, sent] = [0, 0];
afterAll(() => {
  tellFigures(
    `outage: ${RESOURCES} resources, ${cases.length} cases: ${(sent / cases.length / RESOURCES).toFixed(2)} requests per operation, at most ${(most / RESOURCES).toFixed(2)}`,
  );
});

test.each(cases)("%s: 100 resources that want to %s send at most 1.5 requests each", async (kind, name) => {
  const { requests, well } = await outage(OUTAGES[kind] as never, OPERATIONS[name] as never);
  most = Math.max(most, requests);
  sent += requests;
  expect(well).toBe(0);
  expect(requests).toBeGreaterThan(0);
  expect(requests / RESOURCES).toBeLessThanOrEqual(1.5);
});

test("the suite notices clients that have no quota", async () => {
  jest.spyOn(RetryQuota.prototype, "take").mockReturnValue(true);
  jest.spyOn(RetryQuota.prototype, "isSpent", "get").mockReturnValue(false);
  const { requests } = await outage(OUTAGES["503"] as never, OPERATIONS.update as never);
  jest.restoreAllMocks();
  expect(requests / RESOURCES).toBeGreaterThan(1.5);
});
