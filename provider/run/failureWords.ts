/** Turns errors into sentences that say what to do. */
import { isForbidden, isNotFound, isUnauthorized, UnreachableError } from "../client/errors";
import { environmentName, NAME, settingName } from "../fields/naming";
import { PlacedError, sentence, withPlace } from "../fields/words";
import { ConfigurationError } from "./configuration";
import { redacted } from "./secrecy";

/** The error's words without secrets. An error's place is not masked, even if a secret is spelled like the place. */
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
  const key = `Check ${settingName("apiKey")} (or ${environmentName("apiKey")}), authHeader and authScheme`;
  if (isUnauthorized(error)) return key;
  if (isForbidden(error)) return `The key has no right to this. ${key}`;
  if (error instanceof UnreachableError && !error.mayHaveBeenApplied)
    return `Check ${settingName("baseUrl")} (or ${environmentName("baseUrl")}), that the service runs, and that this machine reaches it, if need be through a proxy. The command deployment-control doctor checks all of it`;
  return isNotFound(error) ? notFoundHint(error.method) : undefined;
}

function notFoundHint(method: string): string {
  return method === "PATCH" || method === "DELETE"
    ? "If it was deleted on the service, run `pulumi refresh`"
    : `Is ${settingName("baseUrl")} (or ${environmentName("baseUrl")}) that of the service's API?`;
}

/** The message if the service answers a delete with "not found" although it still has the resource. */
export function undeletedWords(id: string, profileName: string, answer: Error): string {
  const setting = `${settingName("profile")} (or ${environmentName("profile")})`;
  return `the service still has ${id}, so it stays in the state: ${sentence(answer.message)} Profile "${profileName}" says that this service deletes. If it does not, set ${setting} to the one that fits, then run the command again`;
}
