/** The change-class table of the README, made from the provider's tables. */

import { classAt } from "../../provider/diff/changes";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentRows } from "../../provider/schema/deployment";
import type { Field, Rows } from "../../provider/schema/kind";
import { listenerRows } from "../../provider/schema/listener";
import { effectWords } from "./reference/changes";

interface Line {
  /** The prefix of the field's name, such as `sourceConfig.` or `listener `; may be empty. */
  readonly parent: string;
  readonly name: string;
  readonly words: string;
}

/**
 * The table in Markdown, with one line per field. Neighboring fields with the same parent and the same classes share
 * a line.
 */
export function classTable(): string {
  const groups: [Line, ...Line[]][] = [];
  for (const line of [...linesOf(deploymentRows, ""), ...linesOf(listenerRows, "listener ")]) {
    const last = groups.at(-1);
    if (last?.[0].words === line.words && last[0].parent === line.parent) last.push(line);
    else groups.push([line]);
  }
  const head = `| a change of | ${Object.keys(PROFILES).join(" | ")} |\n|---|${"---|".repeat(Object.keys(PROFILES).length)}`;
  return [head, ...groups.map((lines) => `| ${namesOf(lines)} | ${lines[0].words} |`)].join("\n");
}

function linesOf(rows: Rows, parent: string): Line[] {
  return Object.entries(rows).flatMap(([name, field]) => {
    const path = parent + name;
    if (field.group && field.kind.type === "object") return linesOf(field.kind.rows, `${path}.`);
    const words = Object.values(PROFILES).map((profile) => wordsOf(path, field, profile));
    return [{ parent, name, words: words.join(" | ") }];
  });
}

function wordsOf(path: string, field: Field<unknown>, profile: Profile): string {
  if (profile.lacks.includes(path)) return "-";
  const nested = Object.entries(profile.classes).find(([place]) => place.startsWith(`${path}.`));
  const effect = nested?.[1] ?? classAt(path, field, profile);
  return effectWords(effect, field.wire !== undefined);
}

/** Only the first name in a cell begins with its parent's prefix. */
const namesOf = ([first, ...others]: [Line, ...Line[]]): string =>
  [first.parent + first.name, ...others.map(({ name }) => name)].map((name) => `\`${name}\``).join(", ");
