/** The address of a service: what it may be, and whether a credential may go there. */
import { ConfigurationError } from "./errors";

/** Without a slash at its end. Throws a ConfigurationError that never holds a key. */
export function addressOf(value: unknown, place: string): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    throw new ConfigurationError(`${place}: holds a user or password; give the credential as apiKey`);
  }
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url !== undefined && isHttp && url.search === "" && url.hash === "")
    return url.href.replace(/\/+$/, "");
  throw new ConfigurationError(
    `${place}: got ${shown(value)}; allowed: an http or https address without query, such as https://host.example/api`,
  );
}

/** A refused address, without what may be a credential in it. */
function shown(value: unknown): string {
  const words = typeof value === "string" ? value.replace(/\?.*/s, "?…").replace(/\/\/.*@/s, "//…@") : value;
  return JSON.stringify(words);
}

/** Whether what is sent there can be read on its way: plain http to another machine. */
export function isOpenLine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  return protocol !== "https:" && !isLoopback;
}
