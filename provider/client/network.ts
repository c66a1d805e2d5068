/** The network path to a service: a pool that uses the environment's proxy, and the reason why no answer came. */
import type { Dispatcher, Pool } from "undici";
import { isLoopback } from "../schema/value";
import { ConfigurationError } from "./errors";

/** The environment's proxy for the service, and the variable that names it. The value may omit the scheme. */
export function proxyFor(baseUrl: string): { readonly variable: string; readonly url: string } | undefined {
  const schemes = baseUrl.startsWith("https:") ? ["https", "http"] : ["http"];
  const variables = schemes.flatMap((scheme) => [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`]);
  const variable = variables.find((name) => process.env[name]?.trim());
  if (variable === undefined || isLoopback(baseUrl)) return undefined;
  return { variable, url: `${process.env[variable]}`.trim().replace(/^(?!\w+:\/\/)/, "http://") };
}

/** Replaces undici's error for a refused tunnel, because undici would repeat the request forever after that error. */
class ProxyFault extends Error {}

/** Makes a pool, which connects later. A run that sends nothing does not load undici. */
export function openPool(baseUrl: string, limits: Pool.Options): Dispatcher {
  const { Agent, EnvHttpProxyAgent, Pool } = require("undici") as typeof import("undici");
  const { variable, url } = proxyFor(baseUrl) ?? {};
  if (url === undefined) return new Agent(limits);
  try {
    return new EnvHttpProxyAgent({
      ...limits,
      ...{ httpProxy: url, httpsProxy: url },
      // Tunnels are off for http, because proxies refuse tunnels to ports other than 443.
      proxyTunnel: false,
      factory: (origin, options) => new Pool(origin, { ...limits, ...options }),
      clientFactory(origin, options) {
        const pool = new Pool(origin, options);
        const open = pool.connect.bind(pool) as (to: object) => Promise<unknown>;
        const connect = (to: object) =>
          open(to).catch((cause: Error) => Promise.reject(new ProxyFault(cause.message, { cause })));
        return Object.assign(pool, { connect }) as Dispatcher;
      },
    });
  } catch {
    throw new ConfigurationError(`${variable} names no proxy; write http://HOST:PORT`);
  }
}

/** Codes of errors that occur before anything reaches the service. */
const BEFORE_SENDING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** OpenSSL's codes for a certificate that cannot be verified, and Node's codes for a different host's certificate. */
const CERTIFICATE =
  /^(\w*(CERT|CRL|LEAF_SIG|ISSUER)|INVALID_(CA|PURPOSE) |PATH_LENGTH|HOSTNAME_MIS|UNSPECIFIED |OUT_OF_MEM )/;

/** Other errors that occur before sending. The proxy's variable or `the address` is appended to the remedy. */
const REMEDIES: readonly (readonly [fault: RegExp, remedy: string])[] = [
  [/^ENOTFOUND/, "No such host is known: correct"],
  [CERTIFICATE, "Set NODE_EXTRA_CA_CERTS to the file of its authority's certificate, or correct"],
  [/wrong.version.number|packet.length.too.long/i, "No TLS is spoken there: write http:// in"],
  [/before secure TLS connection/, "The TLS handshake was cut short: check the port in"],
  [/ Proxy .*\(407\)/, "Write the proxy's user and password, as in http://USER:PASSWORD@HOST:PORT, into"],
  [/ Proxy response/, "Let the proxy allow the service's host, or name the host in NO_PROXY, or correct"],
];

/** The reason why no answer came, the remedy, and whether the request may have reached the service. */
export function faultOfWay(error: unknown, baseUrl: string) {
  const { code, message = "unknown" } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const { variable } = proxyFor(baseUrl) ?? {};
  const cause = message.startsWith("Proxy ") ? message : (code ?? message);
  const isProxys = error instanceof ProxyFault || cause.startsWith("Proxy ");
  const isPlain = baseUrl.startsWith("http:");
  const [, remedy] = REMEDIES.find(([fault]) => fault.test(`${code} ${message}`)) ?? [];
  if (isProxys || remedy || BEFORE_SENDING.test(cause)) {
    const link = isProxys ? "through" : variable && isPlain ? "or" : undefined;
    const way = link ? ` ${link} the proxy of ${variable}` : "";
    const proxyRemedy = link ? `Check ${variable}, or name the service's host in NO_PROXY` : "";
    const place = isProxys ? variable : "the address";
    const words = `could not reach the service${way} (${cause})`;
    return { words, remedy: remedy ? `${remedy} ${place}` : proxyRemedy, isSent: false };
  }
  // A TLS port that receives a plain request closes the connection or answers with a TLS alert.
  const isClosed = isPlain && /^(UND_ERR_SOCKET|ECONNRESET|Response does not match)/.test(cause);
  const remedyOfPlain = isClosed ? "If TLS is spoken there, write https:// in the address" : "";
  return { words: `lost the connection (${cause})`, remedy: remedyOfPlain, isSent: true };
}
