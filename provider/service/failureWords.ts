/** What went wrong, in words that say what to do about it. */
import { isForbidden, isNotFound, isUnauthorized } from "../client/errors";
import { environmentName, NAME, settingName } from "../fields/naming";
import { sentence } from "../fields/words";
import { ConfigurationError } from "./configuration";

/** Secrets are not masked yet. */
export function failureWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationError) return `configuration ${NAME}: ${error.message}`;
  const key = `Check ${settingName("apiKey")} (or ${environmentName("apiKey")}), authHeader and authScheme`;
  if (isUnauthorized(error)) return `${sentence(error.message)} ${key}`;
  if (isForbidden(error)) return `${sentence(error.message)} The key has no right to this. ${key}`;
  if (isNotFound(error)) return `${sentence(error.message)} ${notFoundHint(error.method)}`;
  return error.message;
}

function notFoundHint(method: string): string {
  return method === "PATCH" || method === "DELETE"
    ? "If it was deleted on the service, run `pulumi refresh`"
    : `Is ${settingName("baseUrl")} (or ${environmentName("baseUrl")}) that of the service's API?`;
}

/** Of a deletion that was answered like one of nothing, although the service still has the resource. */
export function undeletedWords(id: string, profileName: string, answer: Error): string {
  return (
    `the service still has ${id}, so it stays in the state: ${sentence(answer.message)} Profile "${profileName}" says that this service ` +
    `deletes. If it does not, set ${settingName("profile")} (or ${environmentName("profile")}) to the one that it speaks, then run the command again`
  );
}
