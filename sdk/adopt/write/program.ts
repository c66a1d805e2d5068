/** A program of adopted deployments, in no language yet: what it declares, in which order, and with which values. */
import { deploymentRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { join } from "../../../provider/fields/wire";
import { type Account, BEING_DELETED, type Live } from "../read/account";
import type { Selection } from "../read/selection";
import { adopting, type Described, describe } from "./arguments";
import type { LeftOut } from "./leftOut";
import { type Naming, namesOf } from "./names";
import type { RefusesKey } from "./unwritable";

/** A value of the program. What is neither a class of these nor a list is a text, a number, true, false or null. */
export type Node = Fields | Entries | Reference | readonly Node[] | string | number | boolean | null;

/** Members whose names are arguments, as the program's language spells them. */
export class Fields {
  constructor(readonly members: readonly (readonly [name: string, value: Node])[]) {}
}

/** Members whose names are data. */
export class Entries {
  constructor(readonly members: readonly (readonly [name: string, value: Node])[]) {}
}

/** The id of a listener that the program declares. */
export class Reference {
  constructor(readonly naming: Naming) {}
}

export interface ListenerDeclaration {
  readonly naming: Naming;
  readonly id: string;
  readonly computeId: string;
}

export interface DeploymentDeclaration {
  readonly naming: Naming;
  readonly id: string;
  readonly args: Fields;
  readonly secretNames: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Whether the revision that it describes, which is the newest, is the one that serves. */
  readonly serves: boolean;
}

/** One of the account that the program does not declare. */
export interface Skipped {
  readonly name: string;
  readonly id: string;
  readonly why: string;
}

export interface Program {
  readonly listeners: readonly ListenerDeclaration[];
  readonly deployments: readonly DeploymentDeclaration[];
  readonly skipped: readonly Skipped[];
  /** Name of the connection in the configuration; undefined for the default one. */
  readonly connection: string | undefined;
}

/** What the format in which it is written cannot do. */
interface Limits {
  readonly refusesKey?: RefusesKey;
  readonly readsByDefaultOnly?: true;
}

export function programOf(
  account: Account,
  { chosen, isWhole, given }: Selection,
  { refusesKey, readsByDefaultOnly }: Limits = {},
): Program {
  const { profile, name: connection } = account.connection;
  const isReadable = connection === undefined || readsByDefaultOnly !== true;
  const listeners = isReadable ? (account.listeners ?? []) : [];
  const names = namesOf(account.deployments, listeners, given);
  const naming = (id: string) => names.get(id) as Naming;
  const known = new Map(listeners.map(({ id }) => [id.toLowerCase(), new Reference(naming(id))]));
  const used = new Set<Reference>();
  const refer: Refer = (path, value) => {
    const reference =
      path === LISTENER && typeof value === "string" ? known.get(value.toLowerCase()) : undefined;
    if (reference !== undefined) used.add(reference);
    return reference;
  };
  const skipped: Skipped[] = [];
  const skip = ({ id, values }: Live, why: string) =>
    void skipped.push({ id, name: String(values.name ?? ""), why });
  const deployments = chosen.flatMap((live) => {
    if (live.values.status === BEING_DELETED) return skip(live, "it is being deleted") ?? [];
    const described = describe(live, profile, refusesKey);
    if ("why" in described) return skip(live, described.why) ?? [];
    return [declarationOf(live, naming(live.id), described, connection, refer)];
  });
  return {
    deployments: byName(deployments),
    listeners: byName(
      listeners
        .filter(({ id }) => isWhole || used.has(known.get(id.toLowerCase()) as Reference))
        .map(({ id, values }) => ({ id, naming: naming(id), computeId: String(values.computeId ?? "") })),
    ),
    skipped,
    connection,
  };
}

function byName<T extends { readonly naming: Naming }>(declarations: readonly T[]): T[] {
  const key = ({ naming }: T): string => naming.resource.toLowerCase();
  return [...declarations].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

const LISTENER = "sourceConfig.listenerId";

/** What stands in the program for the value at a path; undefined for the value itself. */
type Refer = (path: string, value: unknown) => Reference | undefined;

function declarationOf(
  { id, values }: Live,
  naming: Naming,
  { args, leftOut, secretNames }: Described,
  connection: string | undefined,
  refer: Refer,
): DeploymentDeclaration {
  const given = { ...args, ...adopting(id), ...(connection === undefined ? {} : { connection }) };
  const serves = values.latestRevisionId === values.activeRevisionId;
  return { id, naming, args: fieldsOf(deploymentRows, given, refer, ""), secretNames, leftOut, serves };
}

/** In the order of the table, which is that of the reference. */
function fieldsOf(rows: Rows, values: Properties, refer: Refer, path: string): Fields {
  const given = Object.entries(rows).filter(([name]) => Object.hasOwn(values, name));
  return new Fields(
    given.map(([name, { kind }]) => [name, nodeOf(kind, values[name], refer, join(path, name))]),
  );
}

function nodeOf(kind: Kind<unknown>, value: unknown, refer: Refer, path: string): Node {
  const reference = refer(path, value);
  if (reference !== undefined) return reference;
  if (Array.isArray(value)) {
    const of: Kind<unknown> = kind.type === "list" ? kind.of : { type: "json" };
    return value.map((element) => nodeOf(of, element, refer, path));
  }
  if (!isProperties(value)) return value as Node;
  if (kind.type === "object") return fieldsOf(kind.rows, value, refer, path);
  const of = memberKind(kind);
  return new Entries(Object.entries(value).map(([name, member]) => [name, nodeOf(of, member, refer, path)]));
}

function memberKind(kind: Kind<unknown>): Kind<unknown> {
  if (kind.type === "map") return kind.of;
  return kind.type === "keyed" && !kind.single ? { type: "object", rows: kind.rows } : { type: "json" };
}
