/** Compares an account with the states of the programs that manage it. */
import { liveIn } from "../../../provider/deployment/live";
import { refreshedState } from "../../../provider/deployment/state";
import { otherTenant } from "../../../provider/deployment/tenant";
import { foreignNames, variablesOf } from "../../../provider/deployment/variables";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Hidden } from "../../../provider/schema/check";
import { type Difference, differences, driftIn } from "../../../provider/schema/compare";
import { deploymentRows, isBeingDeleted } from "../../../provider/schema/deployment";
import { listenerRows } from "../../../provider/schema/listener";
import type { State } from "../../../provider/schema/recorded";
import { isAbsent, type Properties } from "../../../provider/schema/value";
import { isAnswered, rowsFromWire } from "../../../provider/schema/wire";
import type { AccountEntry, AccountSnapshot } from "../read/account";
import { type Criteria, isEverything, matcher } from "../read/selection";
import type { StackResource } from "../read/stack";

/** Ways in which the account and the programs disagree, the most serious first. */
const FINDINGS = [
  "managed twice",
  "gone from the service",
  "being deleted",
  "differs",
  "not in the program",
] as const;
export type Finding = (typeof FINDINGS)[number];

export interface FieldDifference {
  readonly path: string;
  /** The program's value, which may be any JSON value; null if the program sets no value. */
  readonly program: unknown;
  readonly service: unknown;
}

export interface ComparedRow {
  readonly kind: "deployment" | "listener";
  readonly finding: Finding;
  /** A deployment's name on the service, or a listener's compute id. */
  readonly name: string;
  readonly id: string;
  /** The programs' resources that manage the entry, such as `agents/prod: chat`. */
  readonly resources: readonly string[];
  readonly fields: readonly FieldDifference[];
}

export type Comparison = ReturnType<typeof compare>;

const SECRET = "[secret]";

/** Omits unmanaged preview deployments. Omits unmanaged listeners unless the criteria allow everything. */
export function compare(
  { connection, deployments: lasting, previews, listeners }: AccountSnapshot,
  resources: readonly StackResource[],
  criteria: Criteria,
) {
  const matches = matcher(criteria);
  const { baseUrl, profile } = connection;
  const wires = lasting.map(({ wire }) => wire);
  const ours = resources.filter(
    ({ state }) =>
      (isAbsent(state.serviceUrl) || state.serviceUrl === baseUrl) &&
      otherTenant(state, connection, wires) === undefined,
  );
  const managedIds = new Set(ours.map(({ id }) => id));
  const deployments = [...lasting, ...previews.filter(({ id }) => managedIds.has(id))];
  const of = (kind: StackResource["kind"]) => ours.filter((each) => each.kind === kind);
  const liveDeployments = deployments.filter(({ id, values }) => matches(id, values));
  const present = new Set(deployments.map(({ id }) => id));
  const programDeployments = of("deployment").filter(({ id, state }) =>
    present.has(id) ? liveDeployments.some((live) => live.id === id) : matches(id, state),
  );
  const listenerIds = new Set(of("listener").map(({ id }) => id));
  const liveListeners = (listeners ?? []).filter(({ id }) => isEverything(criteria) || listenerIds.has(id));
  const rows = [
    ...rowsOf("deployment", liveDeployments, programDeployments, profile),
    // If the API key has no permission to list listeners, no listeners are compared.
    ...(listeners === undefined ? [] : rowsOf("listener", liveListeners, of("listener"), profile)),
  ];
  return {
    schemaVersion: 1,
    baseUrl,
    /** How many deployments and listeners were compared. */
    compared: {
      deployments: idsIn(liveDeployments, programDeployments).length,
      listeners: idsIn(liveListeners, of("listener")).length,
    },
    /** Resources with secret arguments that the exported state hides. Those arguments are not compared. */
    sealed: [...programDeployments, ...(listeners === undefined ? [] : of("listener"))]
      .filter(({ isRead, sealed }) => !isRead && sealed.length > 0)
      .map((each) => ({ resource: labelOf(each), paths: each.sealed })),
    /** The number of resources whose state names a different service. These resources are not compared. */
    elsewhere: resources.length - ours.length,
    /** The most serious findings come first. */
    rows: rows.sort(
      (first, second) =>
        FINDINGS.indexOf(first.finding) - FINDINGS.indexOf(second.finding) ||
        (first.name < second.name ? -1 : 1),
    ),
  };
}

const labelOf = ({ stack, name }: StackResource): string => `${stack}: ${name}`;

const idsIn = (live: readonly AccountEntry[], resources: readonly StackResource[]): string[] => [
  ...new Set([...live, ...resources].map(({ id }) => id)),
];

function rowsOf(
  kind: ComparedRow["kind"],
  live: readonly AccountEntry[],
  resources: readonly StackResource[],
  profile: Profile,
): ComparedRow[] {
  const liveById = new Map(live.map((each) => [each.id, each]));
  const resourcesById = Map.groupBy(resources, ({ id }) => id);
  return idsIn(live, resources).flatMap((id) =>
    rowOf(kind, id, liveById.get(id), resourcesById.get(id) ?? [], profile),
  );
}

/** A list with the row for one id. The list is empty if there is nothing to report. */
function rowOf(
  kind: ComparedRow["kind"],
  id: string,
  live: AccountEntry | undefined,
  resources: readonly StackResource[],
  profile: Profile,
): ComparedRow[] {
  const { name, computeId, status } = live?.values ?? resources[0]?.state ?? {};
  const managers = resources.filter(({ isRead }) => !isRead);
  const row = (finding: Finding, fields: readonly FieldDifference[] = []): ComparedRow[] => [
    {
      kind,
      finding,
      name: String((kind === "deployment" ? name : computeId) ?? ""),
      id,
      resources: resources.map(labelOf),
      fields,
    },
  ];
  if (live === undefined) return row("gone from the service");
  if (isBeingDeleted(status)) return resources.length === 0 ? [] : row("being deleted");
  if (resources.length === 0) return row("not in the program");
  const fields = managers.flatMap(({ state, hidden, sealed }) =>
    FIELDS[kind](state, live.wire, profile, sealed).map(maskedPaths(hidden)),
  );
  if (managers.length > 1) return row("managed twice", fields);
  return fields.length === 0 ? [] : row("differs", fields);
}

const FIELDS = { deployment: deploymentFields, listener: listenerFields };

/** The differences that a refresh of this deployment would find. */
function deploymentFields(
  state: State,
  wire: Properties,
  profile: Profile,
  sealed: readonly string[],
): Difference[] {
  const liveState = refreshedState(state, liveIn(wire, profile), () => false);
  // A variable whose value the state hides is not a difference, because its value cannot be compared.
  const foreign = foreignFields(state, liveState).filter(
    ({ names }) => !sealed.includes(`environment.${names[1]}`),
  );
  return [...differences(deploymentRows, state, liveState), ...foreign];
}

/** The variables that only the service has; empty if the program manages no variables. */
function foreignFields(state: State, liveState: State): Difference[] {
  if (variablesOf(state) === undefined) return [];
  return foreignNames(liveState).map((name) => ({
    path: `secrets.${name}`,
    names: ["secrets", name],
    field: deploymentRows.secrets,
    before: undefined,
    after: SECRET,
    unknown: false,
  }));
}

function listenerFields(state: State, wire: Properties, profile: Profile): Difference[] {
  const managedFields = Object.entries(listenerRows).filter(
    ([name, field]) => isAnswered(field) && !isAbsent(state[name]),
  );
  const programValues = Object.fromEntries(managedFields.map(([name]) => [name, state[name]]));
  return driftIn(listenerRows, programValues, rowsFromWire(listenerRows, wire, profile));
}

const maskedPaths =
  (hidden: Hidden) =>
  ({ path, before, after }: Difference): FieldDifference => {
    const show = (value: unknown) => (isAbsent(value) ? null : hidden(path) ? SECRET : value);
    return { path, program: show(before), service: show(after) };
  };
