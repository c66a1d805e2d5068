/** Arbitrary arguments, derived from the tables, with odd strings, dangerous keys, and empty and deep values. */
import * as fc from "fast-check";
import { rowsUnder } from "../../provider/profiles/profile";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../provider/schema/deployment";
import { imageReference, type Kind, type Rows } from "../../provider/schema/kind";
import { isAbsent, isProperties, type Properties } from "../../provider/schema/value";
import { anyCharacter } from "./characters";

const DANGEROUS_KEYS = [
  "constructor",
  "toString",
  "hasOwnProperty",
  "a.b",
  "a",
  "b.c/d",
  ".",
  "name",
  "k8s.io/x",
];
const ODD_TEXTS = [
  "",
  " ",
  "main",
  "null",
  "a\nb",
  "\u001b[2J",
  "\u202eevil",
  "é\u0301",
  "😀",
  "a.b",
  '"',
  "x; y",
];

type Keys = fc.Arbitrary<string>;

const anyText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: anyCharacter, maxLength: 12 }));
const plainKeys: Keys = fc.oneof(
  fc.constantFrom(...DANGEROUS_KEYS),
  fc.string({ unit: anyCharacter, maxLength: 6 }).filter((key) => key !== "__proto__"),
);
/** Arbitrary keys of maps, sometimes `__proto__`. */
export const allKeys: Keys = fc.oneof({ weight: 9, arbitrary: plainKeys }, fc.constant("__proto__"));
/** Arbitrary keys of maps, never `__proto__`. */
export const servedKeys = plainKeys;

const hasWord = (text: string): boolean => /\S/.test(text);

/** The generators for the parts of a table's values. */
export interface Parts {
  readonly keys: Keys;
  readonly text: fc.Arbitrary<string>;
  number(minimum: number | undefined): fc.Arbitrary<number>;
  rows(rows: Rows): fc.Arbitrary<Properties>;
}

/** Arbitrary values of a kind, in the form in which a program writes them. */
export function arbitraryOf(kind: Kind<unknown>, parts: Parts): fc.Arbitrary<unknown> {
  const { keys, text } = parts;
  switch (kind.type) {
    case "text":
      return kind === imageReference
        ? fc.stringMatching(/^[a-z]{1,9}:[0-9]{1,3}$/)
        : kind.regex
          ? text.filter(hasWord)
          : text;
    case "uuid":
      return fc.uuid();
    case "timestamp":
      return fc.constant("2026-01-02T03:04:05Z");
    case "integer":
      return fc.integer({ min: kind.minimum ?? -1000, max: 100_000 });
    case "number":
      return parts.number(kind.minimum);
    case "boolean":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...kind.values);
    case "list":
      return fc.array(arbitraryOf(kind.of, parts), { maxLength: 2 });
    case "map":
      return dictionary(keys, arbitraryOf(kind.of, parts));
    case "keyed":
      return dictionary(keys.filter(hasWord), kind.single ? text : parts.rows(kind.rows));
    case "json":
      return jsonOf(parts, 3);
    case "jsonObject":
      return dictionary(keys, jsonOf(parts, 2));
    case "object":
      return parts.rows(kind.rows);
  }
}

function dictionary(keys: Keys, values: fc.Arbitrary<unknown>): fc.Arbitrary<Properties> {
  return fc.dictionary(keys, values, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Properties>;
}

function jsonOf(parts: Parts, depth: number): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(parts.text, fc.boolean(), fc.integer(), fc.constant(null));
  if (depth === 0) return leaf;
  const within = jsonOf(parts, depth - 1);
  return fc.oneof(leaf, dictionary(parts.keys, within), fc.array(within, { maxLength: 2 }));
}

/**
 * Arbitrary values of a table. A member without a value is either left out or null. Most members are left out, so that
 * each case stays readable.
 */
function arbitraryRows(rows: Rows, keys: Keys): fc.Arbitrary<Properties> {
  const parts: Parts = {
    keys,
    text: anyText,
    number: (min = -1000) => fc.double({ min, max: 1e9, noNaN: true }).map((number) => number + 0),
    rows: (innerRows) => arbitraryRows(innerRows, keys),
  };
  const members = Object.entries(rows).map(([name, field]) => {
    const value = arbitraryOf(field.kind, parts);
    const sometimes = fc.oneof(
      { withCrossShrink: true },
      { weight: Object.keys(rows).length > 20 ? 20 : 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: value },
    );
    return [name, field.required ? value : sometimes];
  });
  const record = fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>);
  return record.map((value) =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)),
  );
}

/** Arguments of a deployment that the contract's `check` accepts. */
export function deploymentArguments(keys: Keys): fc.Arbitrary<Properties> {
  return arbitraryRows(rowsUnder(deploymentRows, PROFILES.contract as Profile), keys).map(validArguments);
}

/** Arguments before and after an update. The update often changes only a few paths, all of them in `among`. */
export function updates(
  keys: Keys,
  among: string[][] = PLACES,
): fc.Arbitrary<readonly [Properties, Properties]> {
  const changedPaths: fc.Arbitrary<string[][]> = fc.oneof(
    fc.constantFrom(...among).map((place) => [place]),
    fc.subarray(among, { maxLength: 2 }),
    fc.subarray(among),
    fc.constant<string[][]>(among),
  );
  const otherArguments = fc.oneof({ weight: 4, arbitrary: deploymentArguments(keys) }, fc.constant({}));
  return fc
    .tuple(deploymentArguments(keys), otherArguments, changedPaths, fc.boolean())
    .map(([a, b, places, losesLabel]) => {
      const whole = places.reduce((args, place) => withPartOf(args, b, place), a);
      const mixed = losesLabel ? withFewerLabels(whole) : whole;
      return [a, validArguments({ ...mixed, name: mixed.name ?? a.name, source: mixed.source ?? a.source })];
    });
}

/** The paths in `sourceConfig`. Every change to their values happens in place. */
export const IN_SOURCE_CONFIG: string[][] = Object.keys(sourceConfigRows).map((name) => [
  "sourceConfig",
  name,
]);

/** Paths whose values an update may change. */
const PLACES: string[][] = [
  ...Object.keys(deploymentRows)
    .filter((name) => !["sourceConfig", "sourceRevisionConfig"].includes(name))
    .map((name) => [name]),
  ...IN_SOURCE_CONFIG,
  ...Object.keys(sourceRevisionConfigRows).map((name) => ["sourceRevisionConfig", name]),
];

function withPartOf(a: Properties, b: Properties, [section, member]: readonly string[]): Properties {
  const name = section as string;
  if (member === undefined) return { ...a, [name]: b[name] };
  const [from, to] = [a[name], b[name]] as (Properties | null | undefined)[];
  return { ...a, [name]: { ...from, [member]: to?.[member] } };
}

/** Removes one label, if the arguments have labels: random arguments would rarely lose a member of a map. */
function withFewerLabels(args: Properties): Properties {
  const config = args.sourceConfig as
    | { resourceSpec?: { labels?: Properties | null } | null }
    | null
    | undefined;
  const labels = config?.resourceSpec?.labels;
  if (isAbsent(labels)) return args;
  const fewer = Object.fromEntries(Object.entries(labels).slice(1));
  return {
    ...args,
    sourceConfig: { ...config, resourceSpec: { ...config?.resourceSpec, labels: fewer } },
  };
}

/** Changes the arguments so that they obey the rules that involve several fields. */
function validArguments(args: Properties): Properties {
  const config = args.sourceRevisionConfig as Properties | null | undefined;
  const elsewhere = { ...(args.secrets as object), ...(args.secretReferences as object) };
  const plain = Object.entries((args.environment ?? {}) as Properties);
  const valid = {
    ...args,
    ...(isAbsent(args.environment)
      ? {}
      : { environment: Object.fromEntries(plain.filter(([name]) => !Object.hasOwn(elsewhere, name))) }),
    ...(args.onDestroy === "delete" ? { onDestroy: "retain" } : {}),
    ...(isProperties(args.rollout) ? { rollout: withValidQuestion(args.rollout) } : {}),
    ...(args.source === "external_docker" ? {} : { secretReferences: undefined }),
    ...(isAbsent(args.revisionTriggers)
      ? {}
      : { sourceRevisionConfig: { ...config, repoRef: config?.repoRef ?? "main" } }),
  };
  return JSON.parse(JSON.stringify(valid)) as Properties;
}

function withValidQuestion({ verify, onFailure, ...rest }: Properties): Properties {
  const rollout = rest.wait === false ? rest : { ...rest, onFailure };
  if (!isProperties(verify)) return rollout;
  const { runs: _count, ...question } = verify;
  const messages = [{ role: "user", content: "hello" }];
  const valid = {
    deploymentUrl: "https://chat.example",
    assistantId: "agent",
    // The key is sent in a header, and a header does not accept every string.
    ...(question.apiKey === undefined ? {} : { apiKey: "key-of-the-runtime" }),
    messages,
    expect: { contains: "hello" },
    atLeast: 1,
  };
  return { ...rollout, verify: { ...question, ...valid } };
}

/** Returns the value with the keys of every object in reverse order. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reordered(member)]));
}
