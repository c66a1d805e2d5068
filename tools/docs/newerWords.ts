/** For a choice, the values that the profiles add to the contract's values. */
import { PROFILES } from "../../provider/profiles/profiles";
import type { SettingKind } from "../../provider/schema/settings";

/** Empty for a kind that is not a choice. */
export function newerWords(kind: SettingKind<unknown>): readonly string[] {
  if (kind.type !== "choice" || kind.values.length === 0) return [];
  const rules = Object.values(PROFILES).flatMap(({ fields }) => Object.values(fields));
  const words = rules.flatMap(({ kind: wider }) =>
    wider?.type === "choice" && kind.values.every((value) => wider.values.includes(value))
      ? wider.values.filter((value) => !kind.values.includes(value)).map(String)
      : [],
  );
  return [...new Set(words)];
}
