/**
 * Finds changes of masked values: a preview shows every secret as `[secret]`, before and after.
 *
 * Three sources show that a masked value changes: the generations, which count changes of arguments; the engine's
 * detailed diff; and the provider's line. For each change, two different marks replace the masks, so that the
 * provider's comparison sees the change.
 */

import {
  isMove,
  type Mention,
  mentionsOf,
  mentionsOfSecret,
  saysMoved,
} from "../../../provider/diff/describe";
import {
  isAbsent,
  isProperties,
  type Properties,
  propertiesIn,
  UNKNOWN,
  valueAt,
  withValueAt,
} from "../../../provider/schema/value";
import { SECRET } from "../model";
import type { ArgumentDiff } from "../read/hidden";

/** The recorded properties (`olds`) and the new inputs (`news`) of a resource; each of the two objects may be empty. */
export interface Sides {
  readonly olds: Properties;
  readonly news: Properties;
  /** Paths outside `secrets` that the program marked secret in the recorded properties or in the new inputs. */
  readonly secretPaths: readonly string[];
}

/** Evidence of hidden changes: the provider's line and the engine's diff. */
interface Evidence {
  readonly line: string | undefined;
  readonly details: readonly ArgumentDiff[];
}

/** Replaces each hidden value that is known to change with two different marks, one in `olds` and one in `news`. */
export function withHiddenChanges({ olds, news, secretPaths }: Sides, evidence: Evidence): Sides {
  const secrets = withSecretMarks({ olds, news }, evidence);
  const evenlyMasked = {
    olds: maskedAlike(secrets.olds, secrets.news),
    news: maskedAlike(secrets.news, secrets.olds),
  };
  const hiddenPaths = [...secretPaths, ...pathsMaskedOnce(secrets.olds, secrets.news)];
  const markedSides = hiddenMentions(hiddenPaths, evidence).reduce<Sides>(withMark, {
    ...evenlyMasked,
    secretPaths,
  });
  return { ...withMovedValues(markedSides, evidence), secretPaths };
}

function withSecretMarks({ olds, news }: Pick<Sides, "olds" | "news">, evidence: Evidence) {
  return {
    olds: withSecretGenerations(olds, (_name, generation) => `${generation}`),
    news: withSecretGenerations(news, (name, generation) =>
      saysChanged(evidence, name) && valueAt(olds, ["secretGenerations", name]) === generation
        ? `${generation} changed`
        : `${generation}`,
    ),
  };
}

/**
 * If the line says that a variable only moves, gives the variable the same value on both sides. Without a line, the new
 * value of a variable that moves is unknown, because one of the two values is hidden.
 */
function withMovedValues({ olds, news }: Pick<Sides, "olds" | "news">, { line }: Evidence) {
  const movingNames = (secretSide: Properties, plainSide: Properties): string[] =>
    Object.keys(propertiesIn(secretSide.secrets)).filter(
      (name) =>
        Object.hasOwn(propertiesIn(plainSide.environment), name) &&
        (line === undefined || saysMoved(line, name)),
    );
  const [hiding, showing] = [movingNames(news, olds), movingNames(olds, news)];
  const filled = (side: Properties, section: string, names: readonly string[], counterpart?: Properties) =>
    names.reduce((current, name) => {
      const value = counterpart === undefined ? UNKNOWN : valueAt(counterpart, ["environment", name]);
      return withValueAt(current, [section, name], value) as Properties;
    }, side);
  return line === undefined
    ? { olds, news: filled(filled(news, "secrets", hiding), "environment", showing) }
    : { olds: filled(olds, "secrets", showing, news), news: filled(news, "secrets", hiding, olds) };
}

function saysChanged({ line, details }: Evidence, name: string): boolean {
  const mentions = line === undefined ? [] : mentionsOfSecret(line, name);
  const diffs = details.filter(({ path }) => path === `secrets.${name}`);
  return [...mentions, ...diffs].some(({ what }) => what === "changed" || what === "altered");
}

function withSecretGenerations(
  side: Properties,
  mark: (name: string, generation: unknown) => string,
): Properties {
  const { secretGenerations } = side;
  if (secretGenerations === UNKNOWN) return { ...side, secrets: UNKNOWN };
  if (!isProperties(secretGenerations)) return side;
  const marks = Object.entries(secretGenerations).map(([name, generation]) => [
    name,
    generation === UNKNOWN ? UNKNOWN : mark(name, generation),
  ]);
  return { ...side, secrets: Object.fromEntries(marks) };
}

/** Masks each value whose counterpart is masked, because a plain value and a mask would always seem to differ. */
function maskedAlike(side: Properties, counterparts: Properties): Properties {
  const member = (value: unknown, counterpart: unknown): unknown => {
    if (isAbsent(value) || isAbsent(counterpart)) return value;
    if (counterpart === SECRET && value !== UNKNOWN) return SECRET;
    return isProperties(value) && isProperties(counterpart) ? maskedAlike(value, counterpart) : value;
  };
  return Object.fromEntries(
    Object.entries(side).map(([name, value]) => [name, member(value, valueAt(counterparts, [name]))]),
  );
}

/**
 * Paths that are masked only in `olds` or only in `news`: drift that holds a secret's value, or an argument that became
 * a secret.
 */
function pathsMaskedOnce(olds: Properties, news: Properties, within = ""): string[] {
  return Object.keys(olds).flatMap((name) => {
    const [value, counterpart] = [olds, news].map((side) => valueAt(side, [name]));
    if (isProperties(value) && isProperties(counterpart))
      return pathsMaskedOnce(value, counterpart, `${within}${name}.`);
    return (value === SECRET) === (counterpart === SECRET) ? [] : [within + name];
  });
}

/**
 * The mentions in the provider's line come last, and so override the engine's diff, because only the line says when a
 * value is not known yet.
 */
function hiddenMentions(paths: readonly string[], { line, details }: Evidence): (Mention | ArgumentDiff)[] {
  const isHidden = ({ path }: Mention) =>
    paths.some((secretPath) => path === secretPath || path.startsWith(`${secretPath}.`));
  const allMentions = line === undefined ? [] : paths.flatMap((path) => mentionsOf(line, path));
  const mentions = allMentions.filter((mention) => !isMove(mention));
  return [...details.filter(isHidden), ...mentions];
}

function withMark(sides: Sides, mention: Mention | ArgumentDiff): Sides {
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

/** Marks every hidden path as changed: some hidden value has changed, but nothing shows which one. */
export function withAllMarked(sides: Sides): Sides {
  return sides.secretPaths.reduce((current, path) => withMark(current, { path, what: "changed" }), sides);
}
