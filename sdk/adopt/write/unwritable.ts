/** Finds values that would not reach the service unaltered, in any language. */
import { isProperties, UNKNOWN } from "../../../provider/fields/value";
import { ENGINE_MARK } from "../../../provider/host/marks";

/** Pulumi's SDK marks special values with entries of such names. */
const OF_PULUMI = /^__pulumi/;
/** Pulumi's SDK drops an entry with this name. */
const LOST = "__proto__";

/** Why a language cannot write an entry of that name; undefined if it can. */
export type RefusesKey = (name: string) => string | undefined;

/** Why the value cannot be written; undefined if it can. */
export function unwritable(value: unknown, refusesKey: RefusesKey): string | undefined {
  if (value === UNKNOWN) return "Pulumi takes this text for a value that is not known yet";
  if (typeof value === "string") return brokenText(value);
  if (Array.isArray(value)) return firstOf(value.map((element) => unwritable(element, refusesKey)));
  if (!isProperties(value)) return undefined;
  return firstOf(
    Object.entries(value).flatMap(([name, member]) => [
      unwritableKey(name, refusesKey),
      unwritable(member, refusesKey),
    ]),
  );
}

/** The same for the name of an entry. */
export function unwritableKey(name: string, refusesKey: RefusesKey): string | undefined {
  if (name === LOST) return `Pulumi drops an entry named ${LOST}`;
  if (name === ENGINE_MARK || OF_PULUMI.test(name))
    return "Pulumi takes an entry of this name for a mark of its own";
  return brokenText(name) ?? refusesKey(name);
}

const brokenText = (text: string): string | undefined =>
  /\p{Surrogate}/u.test(text)
    ? "it holds half a character, which no file and no request can carry"
    : undefined;

const firstOf = (reasons: readonly (string | undefined)[]): string | undefined =>
  reasons.find((reason) => reason !== undefined);
