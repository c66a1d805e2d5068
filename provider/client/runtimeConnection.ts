/** The settings of a client of one running deployment, checked. */
import { suggestion } from "../fields/words";
import { baseUrlOf, refuseOpenLine } from "./connection";
import { confidentialIn, credentialOf, headersOf, without } from "./headers";
import type { HttpOptions } from "./http";
import type { Clock } from "./retry";
import { ConfigurationError, integerOf, isOneOf, numberOf } from "./settings";

export interface RuntimeClientOptions {
  /** Address of the running deployment. */
  deploymentUrl: string;
  /** The credential. Over plain http it is refused unless the host is loopback or `allowInsecure` is set. */
  apiKey?: string | undefined;
  /** Header of the credential, `X-Api-Key` unless given; `none` sends none. */
  authHeader?: string | undefined;
  /** Word before the credential, such as `Bearer`. */
  authScheme?: string | undefined;
  /** Further headers of every request. */
  headers?: { readonly [name: string]: string } | undefined;
  /** Longest time that one try of a request may take, but for a join; 30 unless given. */
  requestTimeoutSeconds?: number | undefined;
  /** How often a request is sent again where that is safe; 4 unless given. */
  maxRetries?: number | undefined;
  /** Most requests in flight; 16 unless given. */
  maxConcurrency?: number | undefined;
  /** Allows to send the credential over plain http. */
  allowInsecure?: boolean | undefined;
  /** Time as pauses see it. */
  clock?: Clock | undefined;
}

const OPTIONS = [
  "deploymentUrl",
  "apiKey",
  "authHeader",
  "authScheme",
  "headers",
  "requestTimeoutSeconds",
  "maxRetries",
  "maxConcurrency",
  "allowInsecure",
  "clock",
] as const satisfies readonly (keyof RuntimeClientOptions)[];

/** A longer one would overflow the timer, which then ends at once. */
export const LONGEST_TIMEOUT_SECONDS = 86_400;

/** What requests to the deployment need. Throws a ConfigurationError that never holds a key. */
export function runtimeConnection(options: RuntimeClientOptions): HttpOptions {
  const stranger = Object.keys(options).find((option) => !isOneOf(OPTIONS, option));
  if (stranger !== undefined)
    throw new ConfigurationError(`${stranger}: is not an option; ${suggestion(stranger, OPTIONS)}`);
  const baseUrl = baseUrlOf(options.deploymentUrl, "deploymentUrl", "give it as an option");
  const credential = credentialOf(options, (key) => key);
  const extra = headersOf(options.headers, "headers");
  if (Object.keys(credential).length + confidentialIn(extra).length > 0) {
    refuseOpenLine(baseUrl, options.allowInsecure, (key) => (key === "baseUrl" ? "deploymentUrl" : key));
  }
  const { requestTimeoutSeconds: seconds, maxRetries, maxConcurrency, clock } = options;
  return {
    baseUrl,
    headers: { ...without(extra, Object.keys(credential)), ...credential },
    requestTimeoutSeconds: numberOf(seconds, 30, 1, "requestTimeoutSeconds", LONGEST_TIMEOUT_SECONDS),
    maxRetries: integerOf(maxRetries, 4, 0, "maxRetries"),
    maxConcurrency: integerOf(maxConcurrency, 16, 1, "maxConcurrency"),
    addressQuestion: "is deploymentUrl that of a running deployment?",
    ...(clock && { clock }),
  };
}
