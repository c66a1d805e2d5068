/** The change-class table of the README, made from the provider's tables. */

import { deploymentRows } from "../../provider/fields/deployment";
import type { Field, Rows } from "../../provider/fields/kind";
import { listenerRows } from "../../provider/fields/listener";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { classAt } from "../../provider/verdict/changes";
import { effectWords } from "./reference/changes";

interface Line {
  readonly path: string;
  readonly words: string;
}

/** Markdown, one line per field; neighbors with the same parent and the same classes share a line. */
export function classTable(): string {
  const lines = [...linesOf(deploymentRows, ""), ...linesOf(listenerRows, "listener ")];
  const grouped: { paths: string[]; words: string }[] = [];
  for (const { path, words } of lines) {
    const last = grouped.at(-1);
    if (last?.words === words && parentOf(last.paths[0] as string) === parentOf(path)) last.paths.push(path);
    else grouped.push({ paths: [path], words });
  }
  const head = `| a change of | ${Object.keys(PROFILES).join(" | ")} |\n|---|${"---|".repeat(Object.keys(PROFILES).length)}`;
  return [head, ...grouped.map(({ paths, words }) => `| ${namesOf(paths)} | ${words} |`)].join("\n");
}

function linesOf(rows: Rows, prefix: string): Line[] {
  return Object.entries(rows).flatMap(([name, field]) => {
    if (field.group && field.kind.type === "object") return linesOf(field.kind.rows, `${prefix}${name}.`);
    const words = Object.values(PROFILES).map((profile) => wordsOf(`${prefix}${name}`, field, profile));
    return [{ path: `${prefix}${name}`, words: words.join(" | ") }];
  });
}

function wordsOf(path: string, field: Field<unknown>, profile: Profile): string {
  if (profile.lacks.includes(path)) return "-";
  const nested = Object.entries(profile.classes).find(([place]) => place.startsWith(`${path}.`));
  const effect = nested?.[1] ?? classAt(path, field, profile);
  return effectWords(effect, field.wire !== undefined);
}

function parentOf(path: string): string {
  return path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : path.includes(" ") ? "listener" : "";
}

function namesOf(paths: readonly string[]): string {
  const [first, ...others] = paths as [string, ...string[]];
  const parent = parentOf(first);
  return [
    first,
    ...others.map((path) =>
      parent === "" || parent === "listener" ? path.replace("listener ", "") : path.slice(parent.length + 1),
    ),
  ]
    .map((name) => `\`${name}\``)
    .join(", ");
}
