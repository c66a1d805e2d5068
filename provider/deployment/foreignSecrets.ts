/** Secrets that somebody else added on the service. A PATCH of secrets carries the whole list, so it removes them. */
import { deploymentRows } from "../fields/deployment";
import { isProperties, type Properties, UNKNOWN } from "../fields/value";
import { escapeControls } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import { type Change, classAt } from "../verdict/changes";
import { FOREIGN } from "../verdict/describe";

const namesIn = ({ foreignSecrets }: Properties): string[] =>
  Array.isArray(foreignSecrets) ? foreignSecrets.map(String) : [];

/** The changes that sending the new secrets makes to the foreign ones that the service has named. */
export function foreignChanges(olds: Properties, news: Properties, profile: Profile): Change[] {
  const { secrets } = news;
  const isUnknown = secrets === UNKNOWN;
  const values = isProperties(secrets) ? secrets : {};
  return namesIn(olds)
    .filter((name) => !Object.hasOwn(values, name))
    .map((name) => ({
      path: `secrets.${name}`,
      effect: classAt("secrets", deploymentRows.secrets, profile),
      before: FOREIGN,
      after: isUnknown ? UNKNOWN : undefined,
      unknown: isUnknown,
    }));
}

/** The names of the foreign secrets that the changes remove. */
export function foreignLosses(changes: readonly Change[]): string[] {
  return lossesIn(changes.filter(({ unknown }) => !unknown));
}

const lossesIn = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ path, before }) => (before === FOREIGN ? [path.slice("secrets.".length)] : []));

/** A warning that names the foreign secrets that the changes remove; undefined for none. */
export function lossWords(changes: readonly Change[]): string | undefined {
  const names = lossesIn(changes);
  return names.length === 0
    ? undefined
    : `sending its secrets removes what somebody added on the service and the program does not give: ${joined(names)}. To keep one, give it in secrets`;
}

/** A refresh's warning about foreign secrets; undefined if the program manages no secrets, since then no PATCH carries any. */
export function foreignWords(state: Properties): string | undefined {
  const names = namesIn(state);
  return names.length === 0 || !isProperties(state.secrets)
    ? undefined
    : `the service has secrets that the program does not give: ${joined(names)}. The next change of its secrets removes them; to keep one, give it in secrets`;
}

const joined = (names: readonly string[]): string => names.map(escapeControls).join(", ");
