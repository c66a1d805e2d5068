/**
 * Values behind masks: the preview shows every secret as `[secret]`, so that a change of one cannot be seen in it.
 *
 * What tells of such a change are the generations, which count changes of the arguments, the engine's detailed diff where
 * there is one, and the provider's own line. Where they do, marks that differ are put in place of the masks, and the provider's own comparison finds them.
 */
import { withValueAt } from "../../../provider/fields/compare";
import { isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "../../../provider/fields/value";
import { type Mention, mentionsOf, mentionsOfSecret } from "../../../provider/verdict/describe";
import { SECRET } from "../model";
import type { Detail } from "../read/hidden";

/** What is recorded, and the new inputs; empty where there is none. */
export interface Sides {
  readonly olds: Properties;
  readonly news: Properties;
  /** The paths of what the program marked secret on either side, beside `secrets`. */
  readonly secretPaths: readonly string[];
}

/** What tells of hidden changes: the provider's line, and what the engine says of each path. */
interface Told {
  readonly line: string | undefined;
  readonly details: readonly Detail[];
}

/** Recorded and new properties in which every hidden change that is known of shows as a difference of marks. */
export function withMarks({ olds, news, secretPaths }: Sides, told: Told): Sides {
  const secrets = withSecretMarks({ olds, news }, told);
  const even = { olds: evened(secrets.olds, secrets.news), news: evened(secrets.news, secrets.olds) };
  const hidden = [...secretPaths, ...pathsMaskedOnce(secrets.olds, secrets.news)];
  return hiddenMentions(hidden, told).reduce<Sides>(marking, { ...even, secretPaths });
}

function withSecretMarks({ olds, news }: Pick<Sides, "olds" | "news">, told: Told) {
  return {
    olds: secretsMarked(olds, (_name, generation) => `${generation}`),
    news: secretsMarked(news, (name, generation) =>
      isSaidToChange(told, name) && valueAt(olds, ["secretGenerations", name]) === generation
        ? `${generation} changed`
        : `${generation}`,
    ),
  };
}

function isSaidToChange({ line, details }: Told, name: string): boolean {
  const said = line === undefined ? [] : mentionsOfSecret(line, name);
  const own = details.filter(({ path }) => path === `secrets.${name}`);
  return [...said, ...own].some(({ what }) => what === "changed");
}

function secretsMarked(side: Properties, mark: (name: string, generation: unknown) => string): Properties {
  const { secretGenerations } = side;
  if (secretGenerations === UNKNOWN) return { ...side, secrets: UNKNOWN };
  if (!isProperties(secretGenerations)) return side;
  const marks = Object.entries(secretGenerations).map(([name, generation]) => [
    name,
    generation === UNKNOWN ? UNKNOWN : mark(name, generation),
  ]);
  return { ...side, secrets: Object.fromEntries(marks) };
}

/** What is masked on one side only says nothing about the value: then it is on both. */
function evened(own: Properties, other: Properties): Properties {
  const member = (value: unknown, beside: unknown): unknown => {
    if (isAbsent(value) || isAbsent(beside)) return value;
    if (beside === SECRET && value !== UNKNOWN) return SECRET;
    return isProperties(value) && isProperties(beside) ? evened(value, beside) : value;
  };
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, member(value, valueAt(other, [name]))]),
  );
}

/** Where one side alone is masked: drift that holds a secret's value, or an argument that has become a secret. */
function pathsMaskedOnce(one: Properties, other: Properties, within = ""): string[] {
  return Object.keys(one).flatMap((name) => {
    const [own, beside] = [one, other].map((side) => valueAt(side, [name]));
    if (isProperties(own) && isProperties(beside)) return pathsMaskedOnce(own, beside, `${within}${name}.`);
    return (own === SECRET) === (beside === SECRET) ? [] : [within + name];
  });
}

/** The line's come last: it alone says of a value that it is not known yet. */
function hiddenMentions(paths: readonly string[], { line, details }: Told): (Mention | Detail)[] {
  const isHidden = ({ path }: Mention) => paths.some((own) => path === own || path.startsWith(`${own}.`));
  const said = line === undefined ? [] : paths.flatMap((path) => mentionsOf(line, path));
  return [...details.filter(isHidden), ...said];
}

function marking(sides: Sides, mention: Mention | Detail): Sides {
  const { path, what } = mention;
  const names = "names" in mention ? mention.names : path.split(".");
  const before = what === "added" ? undefined : "before";
  const after = what === "removed" ? undefined : what === "unknown" ? UNKNOWN : "after";
  return {
    ...sides,
    olds: withValueAt(sides.olds, names, before) as Properties,
    news: withValueAt(sides.news, names, after) as Properties,
  };
}

/** Marks every hidden path as changed: where something hidden changes and nobody says what. */
export function withAllMarked(sides: Sides): Sides {
  return sides.secretPaths.reduce((marked, path) => marking(marked, { path, what: "changed" }), sides);
}
