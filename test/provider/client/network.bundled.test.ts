/** The plugin's bundle leaves out parts of undici. Requests through every kind of proxy must still work. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as tlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { certificates, key } from "../../support/certificates";

const ROOT = path.join(__dirname, "..", "..", "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-bundle-"));
const program = path.join(folder, "sent-request");
const servers: Server[] = [];

beforeAll(() => {
  const entry = path.join(ROOT, "test", "support", "sentRequest.ts");
  execFileSync(process.execPath, [path.join(ROOT, "tools", "build", "bundle.mjs"), "plugin", entry, program]);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

async function outputOf(address: string, variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, ...variables };
  return (await promisify(execFile)(process.execPath, [program, address], { env })).stdout;
}

const echo = () => createServer((request, response) => response.end(JSON.stringify({ url: request.url })));

test("in the plugin's bundle, a request to an http service through a proxy names the absolute URL", async () => {
  const proxy = await portOf(echo());
  const output = await outputOf("http://service.invalid/api", { HTTP_PROXY: `127.0.0.1:${proxy}` });
  expect(JSON.parse(output)).toEqual({ url: "http://service.invalid/api/v2/deployments" });
});

test("a certificate from an unknown authority is refused until NODE_EXTRA_CA_CERTS names the authority's certificate", async () => {
  const service = tlsServer({ key, cert: certificates.good }, (_request, response) => response.end("[]"));
  const address = `https://127.0.0.1:${await portOf(service)}`;
  expect(await outputOf(address, {})).toContain("(UNABLE_TO_VERIFY_LEAF_SIGNATURE)");
  const file = path.join(folder, "authority.pem");
  writeFileSync(file, certificates.authority);
  expect(await outputOf(address, { NODE_EXTRA_CA_CERTS: file })).toBe("[]");
});

test("in the plugin's bundle, the error about an invalid certificate behind a tunnel gives the cause and the remedy", async () => {
  const port = await portOf(tlsServer({ key, cert: certificates.selfSigned }));
  const proxy = createServer().on("connect", (_request, socket: Duplex) => {
    const way = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      way.pipe(socket).pipe(way);
    });
    for (const each of [way, socket]) each.on("error", () => undefined);
  });
  const output = await outputOf("https://service.invalid", {
    HTTPS_PROXY: `127.0.0.1:${await portOf(proxy)}`,
  });
  expect(output).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT). Set NODE_EXTRA_CA_CERTS");
});

test("in the plugin's bundle, the error names the variable of a proxy that refuses or hangs up", async () => {
  const refusing = createServer().on("connect", (_request, socket: Duplex) =>
    socket.end("HTTP/1.1 407 No\r\n\r\n"),
  );
  const hangingUp = createServer().on("connect", (_request, socket: Duplex) => socket.destroy());
  for (const proxy of [refusing, hangingUp]) {
    const output = await outputOf("https://service.invalid", {
      HTTPS_PROXY: `127.0.0.1:${await portOf(proxy)}`,
    });
    expect(output).toContain("could not reach the service through the proxy of HTTPS_PROXY (");
  }
});
