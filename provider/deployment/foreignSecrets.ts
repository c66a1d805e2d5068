/** Secrets that another hand added on the service: a PATCH of the secrets carries their whole list, and so removes them. */
import { deploymentRows } from "../fields/deployment";
import { isProperties, type Properties, UNKNOWN } from "../fields/value";
import { plain } from "../fields/words";
import type { Profile } from "../profiles/profiles";
import { type Change, classAt } from "../verdict/changes";
import { FOREIGN } from "../verdict/describe";

const namesIn = ({ foreignSecrets }: Properties): string[] =>
  Array.isArray(foreignSecrets) ? foreignSecrets.map(String) : [];

/** What sending the new secrets does to those that only the service has, as far as it has named them. */
export function foreignChanges(olds: Properties, news: Properties, profile: Profile): Change[] {
  const { secrets } = news;
  const unknown = secrets === UNKNOWN;
  const given = isProperties(secrets) ? secrets : {};
  return namesIn(olds)
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => ({
      path: `secrets.${name}`,
      effect: classAt("secrets", deploymentRows.secrets, profile),
      before: FOREIGN,
      after: unknown ? UNKNOWN : undefined,
      unknown,
    }));
}

/** The names of those that the changes remove. */
export function foreignLosses(changes: readonly Change[]): string[] {
  return lossesIn(changes.filter(({ unknown }) => !unknown));
}

const lossesIn = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ path, before }) => (before === FOREIGN ? [path.slice("secrets.".length)] : []));

/** What the changes remove, in the words of a warning; undefined for nothing. */
export function lossWords(changes: readonly Change[]): string | undefined {
  const names = lossesIn(changes);
  return names.length === 0
    ? undefined
    : `sending its secrets removes what somebody added on the service and the program does not give: ${listed(names)}. To keep one, give it in secrets`;
}

/** What a refresh says of them where the program gives secrets: else no PATCH carries any. */
export function foreignWords(state: Properties): string | undefined {
  const names = namesIn(state);
  return names.length === 0 || !isProperties(state.secrets)
    ? undefined
    : `the service has secrets that the program does not give: ${listed(names)}. The next change of its secrets removes them; to keep one, give it in secrets`;
}

const listed = (names: readonly string[]): string => names.map(plain).join(", ");
