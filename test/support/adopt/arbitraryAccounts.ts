/** Random accounts that the strict service accepts, with any field of the tables, and with hostile strings. */
import * as fc from "fast-check";
import { faultsOf } from "../../../provider/deployment/arguments";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { deploymentRows } from "../../../provider/schema/deployment";
import type { Rows } from "../../../provider/schema/kind";
import { isProperties, normalizedRows, type Properties, withValueAt } from "../../../provider/schema/value";
import { isAnswered, rowsToWire, wireName } from "../../../provider/schema/wire";
import type { Emulator, EmulatorOptions, ProfileName } from "../../../sdk/emulator/index";
import { arbitraryOf, type Parts } from "../arbitraryArguments";
import { anyCharacter } from "../characters";
import { ask } from "../embeddedService";
import { HOSTILE } from "../report/hostileTexts";

/** Strings with a special meaning in TypeScript, in JSON or in Pulumi's own formats. */
const MARKS = [
  "$" + "{prod.id}",
  "fn::secret",
  "*/ process.exit(7) /*",
  "\\",
  '\\"',
  "\\u0041",
  "null",
  "__proto__",
  "class",
  "\ufffe",
  "\u{10ffff}",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "4dabf18193072939515e22adb298388d",
];

const word = fc.stringMatching(/^[a-z][a-z0-9-]{2,8}$/);
const text = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE, ...MARKS) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
);
const nonEmptyText = text.map((value) => (/\S/.test(value) ? value : `${value}x`));
const parts: Parts = {
  keys: text,
  text,
  number: () => fc.integer({ min: 1, max: 80 }).map((tenths) => tenths / 10),
  rows: (rows) => recordOf(rows, ["name", "image"]),
};

/** Random values for the rows. Fields that the service may require always have a value. Other fields sometimes do. */
function recordOf(rows: Rows, always: readonly string[]): fc.Arbitrary<Properties> {
  const sent = Object.entries(rows).filter(([, field]) => field.wire !== undefined && !field.patchOnly);
  const model = Object.fromEntries(
    sent.map(([name, { kind }]) => [name, fc.option(arbitraryOf(kind, parts), { nil: undefined, freq: 2 })]),
  );
  const whole = fc.record(model) as fc.Arbitrary<Properties>;
  const needed = sent.filter(([name, { required }]) => required || always.includes(name));
  const sure = fc.record(
    Object.fromEntries(needed.map(([name, { kind }]) => [name, arbitraryOf(kind, parts)])),
  );
  return fc.tuple(whole, sure).map(([some, all]) => ({ ...some, ...(all as Properties) }));
}

export interface GeneratedAccount {
  readonly profile: ProfileName;
  readonly service: EmulatorOptions;
  /** The compute ids of listeners. */
  readonly listeners: readonly string[];
  readonly deployments: readonly Properties[];
}

const behaviour = fc.record({
  secretsInResponses: fc.constantFrom("masked", "echoed", "hidden"),
  defaults: fc.boolean(),
  pageCap: fc.constantFrom(3, 17, 100),
  finerCpu: fc.constantFrom("refused", "rounded"),
  ignoreFilters: fc.boolean(),
} as const);

/** Random accounts. `most`: the maximum number of deployments in one account. */
export const accounts = (most: number): fc.Arbitrary<GeneratedAccount> =>
  fc.record({
    profile: fc.constantFrom<ProfileName>("contract", "langsmith"),
    service: behaviour,
    listeners: fc.uniqueArray(nonEmptyText, { maxLength: 3 }),
    deployments: fc.array(recordOf(deploymentRows, []), { minLength: 4, maxLength: most, size: "max" }),
  });

/**
 * Creates the account on a service, and leaves out the fields that the service refuses. Returns the number of
 * deployments that the service accepted.
 */
export async function fill(
  emulator: Emulator,
  { profile, listeners, deployments }: GeneratedAccount,
): Promise<number> {
  const ids = listeners.map((compute_id) => emulator.addListener({ compute_id }).id);
  let acceptedCount = 0;
  for (const [index, args] of deployments.entries()) {
    const config = isProperties(args.sourceConfig) ? args.sourceConfig : {};
    // Some deployments name an existing listener. Others name a listener that does not exist.
    const onListener = ids.length > 0 && index % 3 > 0 && { listenerId: ids[index % ids.length] };
    if (await posted(emulator, profile, { ...args, sourceConfig: { ...config, ...onListener } }))
      acceptedCount += 1;
  }
  emulator.requests.length = 0;
  return acceptedCount;
}

async function posted(emulator: Emulator, profileName: ProfileName, args: Properties): Promise<boolean> {
  const profile = PROFILES[profileName] as NonNullable<(typeof PROFILES)[string]>;
  let remaining = normalizedRows(deploymentRows, args);
  for (let round = 0; round < 20; round += 1) {
    const faults = faultsOf(remaining, profile, () => false, "creation").map(({ path }) => path);
    for (const path of faults)
      if (path[0] !== "source" && path.at(-1) !== "graphConfigPath")
        remaining = withValueAt(remaining, path.slice(0, 3), undefined) as Properties;
    const sent = Object.entries(deploymentRows).filter(
      ([, field]) => isAnswered(field) || field.wire === "secrets",
    );
    const body = rowsToWire(Object.fromEntries(sent), remaining, profile);
    const whole = { source_config: {}, source_revision_config: {}, secrets: [], ...body };
    const answer = await ask(emulator, "POST", "/v2/deployments", whole);
    if (answer.status === 201) return true;
    if (answer.status !== 422) return false;
    remaining = (answer.body.detail as { loc: string[] }[]).reduce<Properties>(
      (rest, { loc }) => withoutWire(rest, loc.slice(1).map(String), profile),
      remaining,
    );
  }
  return false;
}

/**
 * Removes the argument with this wire path, or the group that contains the argument. `source` and `graphConfigPath` are
 * not removed, but get values that the service accepts.
 */
function withoutWire(args: Properties, wire: readonly string[], profile: Profile): Properties {
  let rows: Rows = deploymentRows;
  const path: string[] = [];
  for (const name of wire) {
    const entry = Object.entries(rows).find(
      ([own, field]) => wireName(field, [...path, own].join("."), profile) === name,
    );
    if (entry === undefined) break;
    path.push(entry[0]);
    if (entry[1].kind.type !== "object") break;
    rows = entry[1].kind.rows;
  }
  const instead: Properties = { source: "repohost", "sourceRevisionConfig.graphConfigPath": "graph.json" };
  return withValueAt(args, path, instead[path.join(".")]) as Properties;
}
