/** Turns errors into sentences that say what to do. */
import {
  ConfigurationError,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type StatusError,
  UnreachableError,
} from "../client/errors";
import { COMMAND, NAME } from "../schema/naming";
import { redacted } from "../schema/secrecy";
import { PlacedError, sentence, withPlace } from "../schema/words";
import { eitherName } from "./configuration";

/** The options and commands that make the engine replace a resource although no argument asks for a replacement. */
export const FORCING_REPLACEMENT =
  "replaceOnChanges, replaceWith, replacementTrigger, another provider, --replace or a taint";

/** The remedy for a change of another tool that the plan did not compare. */
export const REFRESH = "Run `pulumi refresh`; the next plan then shows what differs";

/** Masks secrets, but shows the name of the faulty setting even if the name equals a secret. */
export function failureWords(error: unknown): string {
  if (error instanceof PlacedError) {
    const words = withPlace(error.place, redacted(error.words));
    return error instanceof ConfigurationError ? `configuration ${NAME}: ${words}` : words;
  }
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceOn(error);
  return redacted(advice === undefined ? message : `${sentence(message)} ${advice}`);
}

function adviceOn(error: unknown): string | undefined {
  if (isUnauthorized(error)) return `Set the service's key in ${KEY_NAMES}`;
  if (isForbidden(error)) return `Set another key in ${KEY_NAMES}`;
  if (error instanceof UnreachableError && !error.mayHaveBeenApplied && error.remedy === "")
    return unreachedHint(error.message);
  return isNotFound(error) ? notFoundHint(error) : undefined;
}

/** A refresh or a destroy gets the configuration of the last `pulumi up`, so only the variable has a new key. */
const KEY_NAMES = `${eitherName("apiKey")}; for a refresh or a destroy, set the variable`;

const unreachedHint = (message: string): string =>
  message.includes("ECONNREFUSED")
    ? `Start it, or correct ${eitherName("baseUrl")}`
    : `Run \`${COMMAND} doctor\`, which checks the address and the network`;

/** The advice that fits every failure to reach the service. */
export const reachAdvice = (): string =>
  `Check ${eitherName("baseUrl")}. Check too that the service runs, and that this machine can reach it, through a proxy if necessary`;

function notFoundHint({ method, url }: StatusError): string {
  if (/\/v\d+\/v\d+\//.test(url)) return `Leave out the version at the end of ${eitherName("baseUrl")}`;
  return method === "PATCH" || method === "DELETE"
    ? "If it was deleted on the service, run `pulumi refresh`"
    : `Set ${eitherName("baseUrl")} to the address of the service's API`;
}
