/** What went wrong, in words that say what to do about it. */
import { isForbidden, isNotFound, isUnauthorized } from "../client/errors";
import { environmentName, NAME, settingName } from "../fields/naming";
import { type OwnWords, ours, own, type Words, wordsOf } from "../fields/ownWords";
import { sentence } from "../fields/words";
import { ConfigurationError } from "./configuration";

/** Secrets are not masked yet. */
export function failureWords(error: unknown): Words {
  const words = wordsOf(error);
  if (error instanceof ConfigurationError) return own`configuration ${ours(NAME)}: ${words}`;
  const key = ours(
    `Check ${settingName("apiKey")} (or ${environmentName("apiKey")}), authHeader and authScheme`,
  );
  if (isUnauthorized(error)) return own`${sentence(words)} ${key}`;
  if (isForbidden(error)) return own`${sentence(words)} The key has no right to this. ${key}`;
  if (isNotFound(error)) return own`${sentence(words)} ${ours(notFoundHint(error.method))}`;
  return words;
}

function notFoundHint(method: string): string {
  return method === "PATCH" || method === "DELETE"
    ? "If it was deleted on the service, run `pulumi refresh`"
    : `Is ${settingName("baseUrl")} (or ${environmentName("baseUrl")}) that of the service's API?`;
}

/** Of a deletion that was answered like one of nothing, although the service still has the resource. */
export function undeletedWords(id: string, profileName: string, answer: Error): OwnWords {
  const setting = ours(`${settingName("profile")} (or ${environmentName("profile")})`);
  const kept = own`the service still has ${id}, so it stays in the state: ${sentence(wordsOf(answer))}`;
  return own`${kept} Profile "${profileName}" says that this service deletes. If it does not, set ${setting} to the one that it speaks, then run the command again`;
}
