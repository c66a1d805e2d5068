/** The environment's proxy is a real server that opens tunnels to one service, whichever host is requested. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { failureOf, httpTo, json, type Served, serving } from "../../support/httpServer";

const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
const servers: Server[] = [];
const sockets: Duplex[] = [];

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    delete process.env[name];
    if (value !== undefined) process.env[name] = value;
  }
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Starts a proxy that records the requested hosts. Without `goal`, the proxy refuses every tunnel. */
async function proxy(goal?: Served): Promise<{ url: string; requestedHosts: string[] }> {
  const requestedHosts: string[] = [];
  const server = createServer((request, response) => {
    requestedHosts.push(new URL(request.url ?? "").host);
    json(response, { through: "the proxy" });
  });
  server.on("connect", (request, socket: Duplex) => {
    requestedHosts.push(request.url ?? "");
    sockets.push(socket);
    socket.on("error", () => undefined);
    if (goal === undefined) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const way = connect(Number(new URL(goal.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      way.pipe(socket).pipe(way);
    });
    sockets.push(way);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requestedHosts };
}

const read = { operation: "list deployments", method: "GET", path: "/v2/deployments" } as const;
const write = { operation: "create deployment", method: "POST", path: "/v2/deployments", body: {} } as const;
const service = () => serving((_request, response) => json(response, {}));

test("a service on another machine is reached through the proxy of the environment", async () => {
  const { url, requestedHosts } = await proxy(await service());
  process.env.HTTP_PROXY = url;
  await httpTo("http://service.invalid").send(read);
  expect(requestedHosts.map((host) => host.replace(/:80$/, ""))).toEqual(["service.invalid"]);
});

test("requests to a host in NO_PROXY bypass the proxy", async () => {
  const { url, requestedHosts } = await proxy(await service());
  Object.assign(process.env, { HTTP_PROXY: url, NO_PROXY: "service.invalid" });
  await expect(httpTo("http://service.invalid").send(read)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(requestedHosts).toEqual([]);
});

test.each(["127.0.0.1", "localhost"])("requests to %s always bypass the proxy", async (host) => {
  const [ours, { url, requestedHosts }] = [await service(), await proxy()];
  process.env.HTTP_PROXY = url;
  await httpTo(ours.url.replace("127.0.0.1", host)).send(read);
  expect([ours.seen.length, requestedHosts]).toEqual([1, []]);
});

test("if a proxy refuses to open a tunnel, the service certainly received nothing", async () => {
  const { url } = await proxy();
  process.env.HTTPS_PROXY = url;
  const error = await failureOf(httpTo("https://service.invalid").send(write));
  expect(error).toMatchObject({ mayHaveBeenApplied: false });
  expect(error.message).toContain(
    "could not reach the service through the proxy of HTTPS_PROXY (Proxy response (407)",
  );
});
