/** The settings of a client of one running deployment, checked. */
import { type OptionsOf, runtimeRows } from "../fields/settings";
import type { Clock } from "./clock";
import { requestHeaders } from "./headers";
import type { HttpOptions } from "./http";
import { refuseUnknown, settingsIn } from "./settings";

export type RuntimeClientOptions = OptionsOf<"runtime"> & {
  /** Time as pauses see it. */
  clock?: Clock | undefined;
};

/** What requests to the deployment need. Throws a ConfigurationError that never holds a key. */
export function runtimeConnection({ clock, ...options }: RuntimeClientOptions): HttpOptions {
  refuseUnknown(Object.keys(options), [...Object.keys(runtimeRows), "clock"], "", "an option");
  const values = settingsIn(runtimeRows, options, { prefix: "", howToSet: "give it as an option" });
  const { deploymentUrl, apiKey, authHeader, authScheme, allowInsecure, ...limits } = values;
  const place = (key: string) => (key === "address" ? "deploymentUrl" : key);
  return {
    ...limits,
    baseUrl: deploymentUrl,
    headers: requestHeaders(deploymentUrl, values, place).headers,
    addressQuestion: "is deploymentUrl that of a running deployment?",
    ...(clock && { clock }),
  };
}
