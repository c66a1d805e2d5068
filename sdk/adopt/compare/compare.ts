/** An account against the states of the programs that manage it: what only one of them has, and what differs. */
import { refreshedState } from "../../../provider/deployment/state";
import type { Hidden } from "../../../provider/fields/check";
import { type Difference, differences, driftIn } from "../../../provider/fields/compare";
import { deploymentRows } from "../../../provider/fields/deployment";
import { listenerRows } from "../../../provider/fields/listener";
import { isAbsent, isProperties, type Properties } from "../../../provider/fields/value";
import { isAnswered, rowsFromWire } from "../../../provider/fields/wire";
import type { Profile } from "../../../provider/profiles/profiles";
import { type Account, BEING_DELETED, type Live } from "../read/account";
import { isEverything, matcher, type Wanted } from "../read/selection";
import type { StackResource } from "../read/stack";

/** What is wrong with one. */
export const FINDINGS = [
  "managed twice",
  "gone from the service",
  "being deleted",
  "differs",
  "not in the program",
] as const;
export type Finding = (typeof FINDINGS)[number];

export interface FieldDifference {
  readonly path: string;
  /** Any JSON value; null where it is not set. */
  readonly program: unknown;
  readonly service: unknown;
}

export interface ComparedRow {
  readonly kind: "deployment" | "listener";
  readonly finding: Finding;
  /** Name on the service; of a listener its compute id. */
  readonly name: string;
  readonly id: string;
  /** The resources of programs, such as `agents/prod: chat`. */
  readonly resources: readonly string[];
  readonly fields: readonly FieldDifference[];
}

export interface Comparison {
  readonly schemaVersion: 1;
  readonly baseUrl: string;
  /** What was compared, of each kind. */
  readonly compared: { readonly deployments: number; readonly listeners: number };
  /** Resources whose state says that they live on another service; they are not compared. */
  readonly elsewhere: number;
  /** The gravest first. */
  readonly rows: readonly ComparedRow[];
}

/** Stands for a value that the program marked secret. */
const SECRET = "[secret]";

/** Of an account of which only some deployments are meant, no listener is missed. */
export function compare(
  { connection, deployments, listeners }: Account,
  resources: readonly StackResource[],
  meant: Wanted,
): Comparison {
  const isWanted = matcher(meant);
  const { baseUrl, profile } = connection;
  const ours = resources.filter(({ state }) => isAbsent(state.serviceUrl) || state.serviceUrl === baseUrl);
  const of = (kind: StackResource["kind"]) => ours.filter((each) => each.kind === kind);
  const wanted = deployments.filter(({ id, values }) => isWanted(id, values));
  const present = new Set(deployments.map(({ id }) => id));
  const known = of("deployment").filter(({ id, state }) =>
    present.has(id) ? wanted.some((live) => live.id === id) : isWanted(id, state),
  );
  const declared = new Set(of("listener").map(({ id }) => id));
  const shown = (listeners ?? []).filter(({ id }) => isEverything(meant) || declared.has(id));
  const rows = [
    ...rowsOf("deployment", wanted, known, profile),
    // Where the service does not show its listeners, nothing is known of them.
    ...(listeners === undefined ? [] : rowsOf("listener", shown, of("listener"), profile)),
  ];
  return {
    schemaVersion: 1,
    baseUrl,
    compared: { deployments: idsOf(wanted, known), listeners: idsOf(shown, of("listener")) },
    elsewhere: resources.length - ours.length,
    rows: rows.sort(
      (one, other) =>
        FINDINGS.indexOf(one.finding) - FINDINGS.indexOf(other.finding) || (one.name < other.name ? -1 : 1),
    ),
  };
}

type Identified = readonly { readonly id: string }[];
const idsOf = (one: Identified, other: Identified): number =>
  new Set([...one, ...other].map(({ id }) => id)).size;

function rowsOf(
  kind: ComparedRow["kind"],
  live: readonly Live[],
  resources: readonly StackResource[],
  profile: Profile,
): ComparedRow[] {
  const byId = new Map<string, StackResource[]>();
  for (const each of resources) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  const onService = new Set(live.map(({ id }) => id));
  const gone = [...byId].filter(([id]) => !onService.has(id));
  return [
    ...live.flatMap((each) => rowOf(kind, each, byId.get(each.id) ?? [], profile)),
    ...gone.map(([id, them]): ComparedRow => {
      const name = nameOf(kind, them[0]?.state ?? {});
      return { kind, finding: "gone from the service", name, id, resources: labelsOf(them), fields: [] };
    }),
  ];
}

const nameOf = (kind: ComparedRow["kind"], { name, computeId }: Properties): string =>
  String((kind === "deployment" ? name : computeId) ?? "");

const labelsOf = (resources: readonly StackResource[]): string[] =>
  resources.map(({ stack, name }) => `${stack}: ${name}`);

/** Nothing where the program and the service agree. */
function rowOf(
  kind: ComparedRow["kind"],
  { id, values, wire }: Live,
  resources: readonly StackResource[],
  profile: Profile,
): ComparedRow[] {
  const managing = resources.filter(({ isRead }) => !isRead);
  const row = (finding: Finding, fields: readonly FieldDifference[] = []): ComparedRow[] => [
    { kind, finding, name: nameOf(kind, values), id, resources: labelsOf(resources), fields },
  ];
  if (values.status === BEING_DELETED) return resources.length === 0 ? [] : row("being deleted");
  if (resources.length === 0) return row("not in the program");
  if (managing.length > 1) return row("managed twice");
  const fields = managing.flatMap(({ state, hidden }) =>
    FIELDS[kind](state, wire, profile).map(shownBy(hidden)),
  );
  return fields.length === 0 ? [] : row("differs", fields);
}

const FIELDS = { deployment: deploymentFields, listener: listenerFields };

/** By the rules of a refresh. */
function deploymentFields(state: Properties, wire: Properties, profile: Profile): Difference[] {
  const found = refreshedState(state, wire, profile);
  return [...differences(deploymentRows, state, found), ...foreignFields(state, found)];
}

/** Where the program manages secrets, those that only the service has. */
function foreignFields(state: Properties, { foreignSecrets }: Properties): Difference[] {
  if (!isProperties(state.secrets) || !Array.isArray(foreignSecrets)) return [];
  return foreignSecrets.map((name) => ({
    path: `secrets.${name}`,
    names: ["secrets", String(name)],
    field: deploymentRows.secrets,
    before: undefined,
    after: SECRET,
    unknown: false,
  }));
}

function listenerFields(state: Properties, wire: Properties, profile: Profile): Difference[] {
  const given = Object.entries(listenerRows).filter(
    ([name, field]) => isAnswered(field) && !isAbsent(state[name]),
  );
  const managed = Object.fromEntries(given.map(([name]) => [name, state[name]]));
  return driftIn(listenerRows, managed, rowsFromWire(listenerRows, wire, profile));
}

const shownBy =
  (hidden: Hidden) =>
  ({ path, before, after }: Difference): FieldDifference => {
    const shown = (value: unknown) => (isAbsent(value) ? null : hidden(path) ? SECRET : value);
    return { path, program: shown(before), service: shown(after) };
  };
