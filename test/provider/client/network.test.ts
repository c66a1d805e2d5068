/** Tests TLS and proxy faults over real sockets. Each error names the cause, the variable and the remedy. */
import { createServer as httpServer } from "node:http";
import { createServer as tlsServer } from "node:https";
import { type AddressInfo, connect, createServer as rawServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { faultOfWay } from "../../../provider/client/network";
import { certificates, key } from "../../support/certificates";
import { failureOf, httpTo, json, serving } from "../../support/httpServer";

const NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
const trusted = tls.getCACertificates("default");
const servers: Server[] = [];
const sockets = new Set<Duplex>();

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});
afterEach(() => {
  Object.assign(process.env, before);
  for (const name of NAMES) if (before[name] === undefined) delete process.env[name];
  tls.setDefaultCACertificates(trusted);
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  sockets.clear();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

const seen: string[] = [];
beforeEach(() => void seen.splice(0));

const plain = () =>
  portOf(
    httpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      json(response, {});
    }),
  );
const withTls = (cert: string, authority = "") =>
  portOf(tlsServer({ key, cert: cert + authority }, (_request, response) => json(response, {})));
const closing = () => portOf(rawServer((socket) => void socket.once("data", () => socket.destroy())));

/** A proxy that answers every request with the given status, or connects every tunnel to the given port. */
function proxy(answer: number | { readonly to: number }): Promise<number> {
  const server = httpServer();
  server.on("request", (_request, response) => {
    response.writeHead(answer as number).end("words of the proxy");
  });
  server.on("connect", (request, socket: Duplex) => {
    seen.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? "as nobody"}`);
    if (typeof answer === "number") return void socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
    const way = connect(answer.to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      way.pipe(socket).pipe(way);
    });
    sockets.add(way);
    way.on("error", () => undefined);
  });
  return portOf(server);
}

/** A port on which nothing listens. */
async function unused(): Promise<number> {
  const server = rawServer();
  const port = await portOf(server);
  await new Promise((done) => server.close(done));
  return port;
}

const SERVICE = "https://service.invalid";
const write = { operation: "create", method: "POST", path: "/v2/deployments", body: {} } as const;
const failureAt = (url: string) => failureOf(httpTo(url, { requestTimeoutSeconds: 5 }).send(write));
const local = (scheme: string, port: number) => `${scheme}://127.0.0.1:${port}`;
const trustAuthority = () => tls.setDefaultCACertificates([certificates.authority]);

const CERTIFICATE = "Set NODE_EXTRA_CA_CERTS to the file of its authority's certificate, or correct";
const THROUGH = "could not reach the service through the proxy of HTTPS_PROXY";

interface Case {
  /** Prepares the fault, and returns the address for the request. */
  readonly fault: () => Promise<string>;
  readonly words: string;
  readonly mayHaveBeenApplied?: true;
}

const behind = async (port: Promise<number>, scheme = "http") => {
  process.env.HTTPS_PROXY = local(scheme, await port);
  return SERVICE;
};

const beforeHttp = async (status: number) => {
  process.env.HTTP_PROXY = local("http", await proxy(status));
  return "http://service.invalid";
};

const cases: Readonly<Record<string, Case>> = {
  "a self-signed certificate": {
    fault: async () => local("https", await withTls(certificates.selfSigned)),
    words: `could not reach the service (DEPTH_ZERO_SELF_SIGNED_CERT). ${CERTIFICATE} the address`,
  },
  "a certificate from an unknown authority": {
    fault: async () => local("https", await withTls(certificates.good)),
    words: `could not reach the service (UNABLE_TO_VERIFY_LEAF_SIGNATURE). ${CERTIFICATE} the address`,
  },
  "a chain that ends with an unknown authority, such as the chain of a proxy that intercepts TLS": {
    fault: async () => local("https", await withTls(certificates.good, certificates.authority)),
    words: `could not reach the service (SELF_SIGNED_CERT_IN_CHAIN). ${CERTIFICATE} the address`,
  },
  "a certificate that has expired": {
    fault: async () => {
      trustAuthority();
      return local("https", await withTls(certificates.expired));
    },
    words: `could not reach the service (CERT_HAS_EXPIRED). ${CERTIFICATE} the address`,
  },
  "a certificate that is not valid yet": {
    fault: async () => {
      trustAuthority();
      return local("https", await withTls(certificates.future));
    },
    words: `could not reach the service (CERT_NOT_YET_VALID). ${CERTIFICATE} the address`,
  },
  "a certificate for another host": {
    fault: async () => {
      trustAuthority();
      return behind(proxy({ to: await withTls(certificates.ofOtherHost) }));
    },
    words: `could not reach the service (ERR_TLS_CERT_ALTNAME_INVALID). ${CERTIFICATE} the address`,
  },
  "a bad certificate behind a tunnel": {
    fault: async () => behind(proxy({ to: await withTls(certificates.selfSigned) })),
    words: `could not reach the service (DEPTH_ZERO_SELF_SIGNED_CERT). ${CERTIFICATE} the address`,
  },
  "https to a port that serves plain http": {
    fault: async () => local("https", await plain()),
    words: "No TLS is spoken there: write http:// in the address",
  },
  "https to a port that hangs up": {
    fault: async () => local("https", await closing()),
    words:
      "could not reach the service (ECONNRESET). The TLS handshake was cut short: check the port in the address",
  },
  "http to a port that serves TLS": {
    fault: async () => local("http", await withTls(certificates.good)),
    words: "). If TLS is spoken there, write https:// in the address",
    mayHaveBeenApplied: true,
  },
  "a proxy that is down": {
    fault: () => behind(unused()),
    words: `${THROUGH} (ECONNREFUSED). Check HTTPS_PROXY, or name the service's host in NO_PROXY`,
  },
  "a proxy whose name cannot be resolved": {
    fault: async () => {
      process.env.https_proxy = "http://proxy.invalid:3128";
      return SERVICE;
    },
    words: "through the proxy of https_proxy (E",
  },
  "a proxy that requires a password": {
    fault: () => behind(proxy(407)),
    words: `${THROUGH} (Proxy response (407) !== 200 when HTTP Tunneling). Write the proxy's user and password, as in http://USER:PASSWORD@HOST:PORT, into HTTPS_PROXY`,
  },
  "a proxy that forbids the host": {
    fault: () => behind(proxy(403)),
    words: `${THROUGH} (Proxy response (403) !== 200 when HTTP Tunneling). Let the proxy allow the service's host, or name the host in NO_PROXY, or correct HTTPS_PROXY`,
  },
  "a proxy that cannot reach the service": {
    fault: () => behind(proxy(502)),
    words: `${THROUGH} (Proxy response (502)`,
  },
  "a server that is not a proxy and hangs up": {
    fault: () => behind(closing()),
    words: `${THROUGH} (UND_ERR_SOCKET). Check HTTPS_PROXY, or name the service's host in NO_PROXY`,
  },
  "a proxy that speaks TLS, but whose variable says http": {
    fault: () => behind(withTls(certificates.good)),
    words: `${THROUGH} (`,
  },
  "a proxy that speaks no TLS, but whose variable says https": {
    fault: () => behind(proxy(200), "https"),
    words: "No TLS is spoken there: write http:// in HTTPS_PROXY",
  },
  "a proxy whose certificate cannot be verified": {
    fault: () => behind(withTls(certificates.selfSigned), "https"),
    words: `${THROUGH} (DEPTH_ZERO_SELF_SIGNED_CERT). ${CERTIFICATE} HTTPS_PROXY`,
  },
  "a proxy that is down, in front of an http service": {
    fault: async () => {
      process.env.HTTP_PROXY = local("http", await unused());
      return "http://service.invalid";
    },
    words:
      "could not reach the service or the proxy of HTTP_PROXY (ECONNREFUSED). Check HTTP_PROXY, or name the service's host in NO_PROXY",
  },
  "a proxy that requires a password, in front of an http service": {
    fault: () => beforeHttp(407),
    words:
      "through the proxy of HTTP_PROXY (Proxy Authentication Required (407)). Write the proxy's user and password, as in http://USER:PASSWORD@HOST:PORT, into HTTP_PROXY",
  },
  "a proxy that forbids an http service": {
    fault: () => beforeHttp(403),
    words: "answered 403: words of the proxy (perhaps from the proxy of HTTP_PROXY)",
  },
  "a proxy that cannot reach an http service": {
    fault: () => beforeHttp(502),
    words: "answered 502: words of the proxy (perhaps from the proxy of HTTP_PROXY)",
    mayHaveBeenApplied: true,
  },
};

test.each(Object.entries(cases))("%s: the error gives a remedy", async (_name, { fault, words, ...rest }) => {
  const error = await failureAt(await fault());
  expect(error.message).toContain(words);
  expect(error).toMatchObject({ mayHaveBeenApplied: rest.mayHaveBeenApplied ?? false });
});

test.each(["http://", "ftp://proxy.example.test", "http://user:%zz@proxy.example.test", "http://:3128"])(
  "if the value %j of a variable names no proxy, the error shows the variable's name, but not the value",
  async (value) => {
    process.env.HTTPS_PROXY = value;
    const error = await failureAt(SERVICE);
    expect(error.message).toBe("HTTPS_PROXY names no proxy; write http://HOST:PORT");
  },
);

test("no error shows the proxy's password", async () => {
  for (const answer of [403, 407, 502]) {
    process.env.HTTPS_PROXY = `http://user:canary@127.0.0.1:${await proxy(answer)}`;
    expect(await failureAt(SERVICE)).not.toMatchObject({ message: expect.stringContaining("canary") });
  }
  expect(seen).toEqual(Array(3).fill(`CONNECT service.invalid:443 Basic ${btoa("user:canary")}`));
});

test("a proxy's address may lack the scheme, as in curl", async () => {
  trustAuthority();
  process.env.HTTPS_PROXY = `127.0.0.1:${await proxy({ to: await withTls(certificates.good) })}`;
  await httpTo(SERVICE).send(write);
  process.env.HTTPS_PROXY = `localhost:${await proxy({ to: await withTls(certificates.good) })}`;
  await httpTo(SERVICE).send(write);
  expect(seen).toEqual(Array(2).fill("CONNECT service.invalid:443 as nobody"));
});

test("a request to an http service through a proxy names the absolute URL, and opens no tunnel", async () => {
  process.env.HTTP_PROXY = `127.0.0.1:${await plain()}`;
  await httpTo("http://service.invalid:8123/api").send(write);
  expect(seen).toEqual(["POST http://service.invalid:8123/api/v2/deployments"]);
});

test("requests to a host in NO_PROXY bypass the proxy", async () => {
  Object.assign(process.env, { HTTP_PROXY: local("http", await plain()), NO_PROXY: "service.invalid" });
  await expect(httpTo("http://service.invalid").send(write)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(seen).toEqual([]);
});

test.each(["127.0.0.1", "localhost"])("requests to %s always bypass the proxy", async (host) => {
  const service = await serving((_request, response) => json(response, {}));
  process.env.HTTP_PROXY = local("http", await plain());
  await httpTo(service.url.replace("127.0.0.1", host)).send(write);
  expect([service.seen.length, seen]).toEqual([1, []]);
});

const coded = (code: string) => Object.assign(new Error("words"), { code });

test.each([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
])("%s occurs before anything is sent", (code) => {
  const words = `could not reach the service (${code})`;
  expect(faultOfWay(coded(code), SERVICE)).toMatchObject({ words, isSent: false });
});

test.each<[unknown, string]>([
  [coded("ECONNRESET"), "ECONNRESET"],
  [coded("UND_ERR_SOCKET"), "UND_ERR_SOCKET"],
  [coded(""), ""],
  [new Error("other side closed"), "other side closed"],
  [{}, "unknown"],
])("after %j, the request may have been applied", (error, cause) => {
  const words = `lost the connection (${cause})`;
  expect(faultOfWay(error, SERVICE)).toMatchObject({ words, isSent: true });
});

test.each([
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_CRL", "UNABLE_TO_DECRYPT_CERT_SIGNATURE"],
  ...["UNABLE_TO_DECRYPT_CRL_SIGNATURE", "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "CERT_SIGNATURE_FAILURE"],
  ...["CRL_SIGNATURE_FAILURE", "CERT_NOT_YET_VALID", "CRL_NOT_YET_VALID", "CERT_HAS_EXPIRED"],
  ...["CRL_HAS_EXPIRED", "ERROR_IN_CERT_NOT_BEFORE_FIELD", "ERROR_IN_CERT_NOT_AFTER_FIELD"],
  ...["ERROR_IN_CRL_LAST_UPDATE_FIELD", "ERROR_IN_CRL_NEXT_UPDATE_FIELD", "OUT_OF_MEM"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_CHAIN_TOO_LONG", "CERT_REVOKED", "INVALID_CA"],
  ...["PATH_LENGTH_EXCEEDED", "INVALID_PURPOSE", "CERT_UNTRUSTED", "CERT_REJECTED", "HOSTNAME_MISMATCH"],
  ...["UNSPECIFIED", "ERR_TLS_CERT_ALTNAME_INVALID"],
])("the remedy for the certificate error %s names NODE_EXTRA_CA_CERTS", (code) => {
  const { remedy, isSent } = faultOfWay(coded(code), SERVICE);
  expect([remedy, isSent]).toEqual([expect.stringContaining("NODE_EXTRA_CA_CERTS"), false]);
});
