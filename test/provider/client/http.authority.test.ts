/** Certificates of an authority that Node does not know, with a real server. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { ran } from "../../support/adopt/command";

const CLIENT = path.join(__dirname, "../../../dist/provider/client");
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) process.stderr.write("Certificates are skipped: there is no openssl on the PATH\n");
const testWithOpenssl = hasOpenssl ? test : test.skip;

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-authority-"));
});
afterEach(async () => {
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  rmSync(folder, { recursive: true });
});

/** The address of a service with a self-signed certificate, which is in `own.pem`. */
async function serving(): Promise<string> {
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost";
  const files = "-addext subjectAltName=DNS:localhost -keyout key.pem -out own.pem";
  execFileSync("openssl", `${request} ${files}`.split(" "), { cwd: folder, stdio: "ignore" });
  const [key, cert] = ["key.pem", "own.pem"].map((file) => readFileSync(path.join(folder, file)));
  server = createServer({ key, cert, keepAlive: false }, (_, response) =>
    response.setHeader("connection", "close").end('{"resources": [], "offset": 0}'),
  );
  await new Promise<void>((listening) => server?.listen(0, "localhost", listening));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** The output of a script that lists the listeners of the service. */
async function listing(baseUrl: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const script = `const { ControlClient } = require(${JSON.stringify(CLIENT)});
    (async () => {
      let count = 0;
      for await (const _ of new ControlClient({ baseUrl: ${JSON.stringify(baseUrl)} }).listListeners()) count += 1;
      console.log(count + " listeners");
    })().catch(({ message }) => console.log(message));`;
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  return (await ran(process.execPath, ["-e", script], folder, { ...environment, ...variables })).out;
}

testWithOpenssl(
  "an unknown authority is refused, until NODE_EXTRA_CA_CERTS names its certificate",
  async () => {
    const baseUrl = await serving();
    expect(await listing(baseUrl, {})).toContain("could not reach the service (DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(await listing(baseUrl, { NODE_EXTRA_CA_CERTS: path.join(folder, "own.pem") })).toBe(
      "0 listeners\n",
    );
  },
);
