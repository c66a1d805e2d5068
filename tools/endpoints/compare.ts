/** Finds the fields, required fields, values and bounds that differ in a newer document of the public service. */
import { isDeepStrictEqual } from "node:util";
import { mergedOver } from "../../provider/schema/value";
import newer from "../../test/endpoints/newer.json";
import newerFields from "../../test/endpoints/newerFields.json";
import { CONTROL } from "../../test/endpoints/table";

export interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Node } };
  readonly schemas: { readonly [name: string]: Node };
}
interface Node {
  readonly [member: string]: unknown;
}
/** The type at each place, such as `Deployment.status`; a `!` marks a required place. */
type Facts = Readonly<Record<string, string>>;

const USED = CONTROL.langsmith;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value : []);
const alternativesIn = ({ anyOf, oneOf, allOf }: Node): Node[] => listOf(anyOf ?? oneOf ?? allOf);

/** Members that `typeOf` and `fieldsIn` read by name; all other members are bounds. */
const READ_BY_NAME = ["properties", "required", "enum", "items", "anyOf", "oneOf", "allOf", "type", "$ref"];

/** The type of a value in one line, with its bounds. */
function typeOf(node: Node): string {
  const alternatives = alternativesIn(node);
  const bounds = Object.entries(node).filter(([name]) => !READ_BY_NAME.includes(name));
  const words = bounds.map(([name, value]) => `${name} ${isNode(value) ? typeOf(value) : String(value)}`);
  const type =
    alternatives.length > 0
      ? alternatives.map(typeOf).join(" | ")
      : typeof node.$ref === "string"
        ? schemaOf(node.$ref)
        : isNode(node.items)
          ? `list of ${typeOf(node.items)}`
          : String(node.type ?? "any");
  return words.length === 0 ? type : `${type} (${words.sort().join(", ")})`;
}

const schemaOf = (reference: string): string => reference.split("/").at(-1) as string;

/** The fields and values of a node, and of the nodes in it. */
function fieldsIn(place: string, node: Node): [string, string][] {
  const required = Array.isArray(node.required) ? node.required : [];
  const values = Array.isArray(node.enum) ? node.enum : [];
  return [
    ...values.map((value): [string, string] => [`${place} ${JSON.stringify(value)}`, "value"]),
    ...Object.entries(nodeOf(node.properties)).flatMap(([name, field]): [string, string][] => [
      [`${place}.${name}`, `${typeOf(nodeOf(field))}${required.includes(name) ? "!" : ""}`],
      ...fieldsIn(`${place}.${name}`, nodeOf(field)),
    ]),
    ...[node.items, node.additionalProperties, ...alternativesIn(node)].flatMap((each) =>
      isNode(each) ? fieldsIn(place, each) : [],
    ),
  ];
}

/** The parameters, body and answers of an operation. */
function operationFacts(place: string, operation: Node): [string, string][] {
  const body = nodeOf(operation.requestBody);
  const json = (holder: Node) => nodeOf(nodeOf(nodeOf(holder.content)["application/json"]).schema);
  return [
    [place, "operation"],
    ...listOf(operation.parameters).flatMap((each): [string, string][] => {
      const parameter = `${place} ${each.in} ${each.name}`;
      const schema = nodeOf(each.schema);
      return [
        [parameter, `${typeOf(schema)}${each.required === true ? "!" : ""}`],
        ...fieldsIn(parameter, schema),
      ];
    }),
    ...(isNode(operation.requestBody)
      ? [[`${place} body`, `${typeOf(json(body))}${body.required === true ? "!" : ""}`] as [string, string]]
      : []),
    ...Object.entries(nodeOf(operation.responses)).map(([status, answer]): [string, string] => [
      `${place} answer ${status}`,
      typeOf(json(nodeOf(answer))),
    ]),
  ];
}

/** The names of the schemas that a node refers to, directly or through another schema. */
function schemasIn(node: unknown, schemas: Document["schemas"], names = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(node ?? null).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g))
    if (!names.has(name)) schemasIn(schemas[name], schemas, names.add(name));
  return names;
}

const operationsOf = ({ paths }: Document): [endpoint: string, operation: Node][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Node] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

const usedOperations = (document: Document): [string, Node][] =>
  operationsOf(document).filter(([endpoint]) => USED.includes(endpoint));

/** The facts of the operations that the provider uses, and of the named schemas. */
function factsOf(document: Document, names: ReadonlySet<string>): Facts {
  const schemas = Object.entries(document.schemas).filter(([name]) => names.has(name));
  return Object.fromEntries([
    ...usedOperations(document).flatMap(([endpoint, operation]) => operationFacts(endpoint, operation)),
    ...schemas.flatMap(([name, schema]) => [[name, "schema"] as const, ...fieldsIn(name, schema)]),
  ]);
}

const bare = (type: string): string => type.replace(/!$/, "");

function changeOf(place: string, before: string | undefined, now: string | undefined): string {
  if (before === undefined) return `+ ${place}: ${now}`;
  if (now === undefined) return `- ${place}`;
  if (bare(before) !== bare(now)) return `~ ${place}: ${before} -> ${now}`;
  return `~ ${place}: ${now.endsWith("!") ? "now required" : "no longer required"}`;
}

/** A line for each operation and schema that differs and that the provider does not use. */
function differencesElsewhere(recorded: Document, document: Document, names: ReadonlySet<string>): string[] {
  const others = (each: Document) =>
    Object.fromEntries([
      ...operationsOf(each).filter(([endpoint]) => !USED.includes(endpoint)),
      ...Object.entries(each.schemas).filter(([name]) => !names.has(name)),
    ]);
  const [before, now] = [others(recorded), others(document)];
  return namesIn(before, now).flatMap((name) => {
    if (isDeepStrictEqual(before[name], now[name])) return [];
    return [`${!(name in before) ? "+" : !(name in now) ? "-" : "~"} ${name} (not used)`];
  });
}

const namesIn = (...records: readonly object[]): string[] =>
  [...new Set(records.flatMap((each) => Object.keys(each)))].sort();

/** A line for each difference, except those that `newer.json` and `newerFields.json` already have. */
export function differences(recorded: Document, document: Document): string[] {
  const names = new Set(
    [recorded, document].flatMap((each) => [...schemasIn(usedOperations(each), each.schemas)]),
  );
  const newestDocument = {
    paths: mergedOver(recorded.paths, newer.paths) as Document["paths"],
    schemas: mergedOver({ ...recorded.schemas, ...newer.schemas }, newerFields) as Document["schemas"],
  };
  const [before, now, newest] = [
    factsOf(recorded, names),
    factsOf(document, names),
    factsOf(newestDocument, names),
  ];
  const isNews = (place: string) => before[place] !== now[place] && now[place] !== newest[place];
  const places = namesIn(before, now).filter(isNews);
  // If a place was added or removed, the places inside it are left out.
  const arrivals = places.filter((place) => before[place] === undefined || now[place] === undefined);
  const isInside = (place: string) =>
    arrivals.some((each) => place.startsWith(`${each}.`) || place.startsWith(`${each} `));
  return [
    ...places.filter((place) => !isInside(place)).map((place) => changeOf(place, before[place], now[place])),
    ...differencesElsewhere(recorded, document, names),
  ];
}
