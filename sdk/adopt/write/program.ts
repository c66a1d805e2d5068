/** The contents of a program that adopts deployments, before a format writes the files. */
import { deploymentRows } from "../../../provider/schema/deployment";
import type { Kind, Rows } from "../../../provider/schema/kind";
import { isProperties, type Properties } from "../../../provider/schema/value";
import { join } from "../../../provider/schema/wire";
import type { AccountEntry, AccountSnapshot } from "../read/account";
import type { Selection } from "../read/selection";
import { adopting, type Description, describe } from "./arguments";
import { type Naming, namesOf } from "./names";

export type Node = Members | Reference | readonly Node[] | string | number | boolean | null;

/** Named values: an object's fields, or a map's entries. The keys of a map are data. */
export class Members {
  constructor(
    readonly areFields: boolean,
    readonly members: readonly (readonly [name: string, value: Node])[],
  ) {}
}

export const hasMembers = (node: Node): node is Members | readonly Node[] =>
  node instanceof Members ? node.members.length > 0 : Array.isArray(node) && node.length > 0;

/** The id of a listener that the program declares. */
export class Reference {
  constructor(readonly naming: Naming) {}
}

export interface ListenerDeclaration {
  readonly naming: Naming;
  readonly id: string;
}

export interface DeploymentDeclaration extends Omit<Description, "args"> {
  readonly naming: Naming;
  readonly id: string;
  readonly args: Members;
  /** Whether the newest revision is active. `args` has the newest revision's settings. */
  readonly serves: boolean;
}

export interface Skipped {
  readonly name: string;
  readonly id: string;
  readonly why: string;
}

/** `connection`: the name of the program's connection; undefined for the default connection. */
export type Program = ReturnType<typeof programOf>;

export function programOf(
  account: AccountSnapshot,
  { deployments: selection, isWhole, terraform }: Selection,
) {
  const { profile, name: connection } = account.connection;
  const listeners = account.listeners ?? [];
  const names = namesOf(account.deployments, listeners, terraform);
  const naming = (id: string) => names.get(id) as Naming;
  const references = new Map(listeners.map(({ id }) => [id.toLowerCase(), new Reference(naming(id))]));
  const usedReferences = new Set<Reference>();
  const refer: Refer = (path, value) => {
    const reference =
      path === LISTENER && typeof value === "string" ? references.get(value.toLowerCase()) : undefined;
    if (reference !== undefined) usedReferences.add(reference);
    return reference;
  };
  const skipped: Skipped[] = [];
  const deployments: DeploymentDeclaration[] = [];
  for (const live of selection) {
    const { id, values } = live;
    const variables = terraform.get(id.toLowerCase())?.variables;
    const description = describe(live, profile, variables);
    if ("why" in description) skipped.push({ id, name: String(values.name ?? ""), why: description.why });
    else deployments.push(declarationOf(live, naming(id), description, connection, refer));
  }
  return {
    deployments: byName(deployments),
    listeners: byName(
      listeners
        .filter(({ id }) => isWhole || usedReferences.has(references.get(id.toLowerCase()) as Reference))
        .map(({ id }) => ({ id, naming: naming(id) })),
    ),
    skipped,
    connection,
  };
}

function byName<T extends { readonly naming: Naming }>(declarations: readonly T[]): T[] {
  const key = ({ naming }: T): string => naming.resource.toLowerCase();
  return [...declarations].sort((first, second) => (key(first) < key(second) ? -1 : 1));
}

const LISTENER = "sourceConfig.listenerId";

/** Returns the reference to print instead of the value at a path; undefined to print the value itself. */
type Refer = (path: string, value: unknown) => Reference | undefined;

function declarationOf(
  { id, values }: AccountEntry,
  naming: Naming,
  { args, ...description }: Description,
  connection: string | undefined,
  refer: Refer,
): DeploymentDeclaration {
  const programArgs = { ...args, ...adopting(id), ...(connection === undefined ? {} : { connection }) };
  const serves = values.latestRevisionId === values.activeRevisionId;
  return { id, naming, args: fieldsOf(deploymentRows, programArgs, refer, ""), serves, ...description };
}

/** The values in the order of the rows, which is also the order of the reference pages. */
function fieldsOf(rows: Rows, values: Properties, refer: Refer, path: string): Members {
  const fields = Object.entries(rows).filter(([name]) => Object.hasOwn(values, name));
  return new Members(
    true,
    fields.map(([name, { kind }]) => [name, nodeOf(kind, values[name], refer, join(path, name))]),
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
  const entries = Object.entries(value).map(
    ([name, member]) => [name, nodeOf(of, member, refer, path)] as const,
  );
  return new Members(false, entries);
}

function memberKind(kind: Kind<unknown>): Kind<unknown> {
  if (kind.type === "map") return kind.of;
  return kind.type === "keyed" && !kind.single ? { type: "object", rows: kind.rows } : { type: "json" };
}
