/** The public surface: the schema, the settings, the commands' options, the report's JSON and the states' version. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { CURRENT_SCHEMA, SCHEMA } from "../../../provider/host/schema";
import { jsonSchemaOfReports } from "../../../sdk/report/schema";
import { COMMANDS } from "../../docs/reference/commands";

/**
 * Types by name, such as `Deployment.displayName` or `plan --format`. A `!` follows the type of a property that is never
 * left out.
 */
export interface Part {
  [name: string]: string;
}

/** `given`: what users write. `read`: what programs and later versions read. */
export interface Surface {
  readonly given: Part;
  readonly read: Part;
}

interface Node {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly properties?: { readonly [name: string]: Node };
  readonly additionalProperties?: Node;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
}

const lastOf = (reference: string): string => reference.split(/[:/]/).at(-1) as string;

function typeOf(node: Node): string {
  const choices = node.oneOf ?? node.anyOf;
  if (choices !== undefined) return choices.map(typeOf).join(" or ");
  if (node.$ref !== undefined) return lastOf(node.$ref);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.items !== undefined) return `list of ${typeOf(node.items)}`;
  if (node.additionalProperties) return `map of ${typeOf(node.additionalProperties)}`;
  return [node.type ?? "any"].flat().join(" or ");
}

/** Adds the properties and the values of a node, and of the nodes within it. */
function add(part: Part, name: string, node: Node): void {
  for (const [property, inner] of Object.entries(node.properties ?? {})) {
    part[`${name}.${property}`] = typeOf(inner) + (node.required?.includes(property) ? "!" : "");
    add(part, `${name}.${property}`, inner);
  }
  for (const value of node.enum ?? [])
    part[`${name}.${(value as { value?: unknown }).value ?? value}`] = "value";
  for (const inner of [node.items, node.additionalProperties, ...(node.oneOf ?? node.anyOf ?? [])])
    if (inner) add(part, name, inner);
}

/** Pulumi's schema, as far as it says which names there are. */
export interface PackageSchema {
  readonly config: { readonly variables: { readonly [name: string]: Node } };
  readonly types: { readonly [token: string]: Node };
  readonly resources: {
    readonly [token: string]: Node & {
      readonly inputProperties: { readonly [name: string]: Node };
      readonly requiredInputs?: readonly string[];
    };
  };
  readonly functions: { readonly [token: string]: { readonly inputs?: Node; readonly outputs?: Node } };
}

/** Adds a resource or function, and every type that it refers to. */
function addOwner(part: Part, name: string, kind: string, node: Node, types: PackageSchema["types"]): void {
  if (part[name] !== undefined) return;
  part[name] = kind;
  add(part, name, node);
  for (const [, token] of JSON.stringify(node).matchAll(/"\$ref":"#\/types\/([^"]+)"/g))
    addOwner(part, lastOf(token as string), "type", types[token as string] as Node, types);
}

function addSchema({ given, read }: Surface, schema: PackageSchema): void {
  addOwner(given, "config", "settings", { properties: schema.config.variables }, schema.types);
  for (const [token, resource] of Object.entries(schema.resources)) {
    const { inputProperties, requiredInputs = [], properties = {}, required = [] } = resource;
    const taken = { properties: inputProperties, required: requiredInputs };
    addOwner(given, lastOf(token), "resource", taken, schema.types);
    addOwner(read, lastOf(token), "resource", { properties, required }, schema.types);
  }
  for (const [token, { inputs = {}, outputs = {} }] of Object.entries(schema.functions)) {
    addOwner(given, lastOf(token), "function", inputs, schema.types);
    addOwner(read, lastOf(token), "function", outputs, schema.types);
  }
}

/** A command, as far as its page says what it takes. */
export interface Command {
  readonly name: string;
  readonly options: readonly { readonly flag: string }[];
}

/** `--format text|json` takes one of two values, `--out FILE` any, `--[no-]log` none. */
function addCommand(given: Part, { name, options }: Command): void {
  given[name] = "command";
  for (const { flag } of options) {
    const [option, value] = flag.split(" ") as [string, string?];
    const spellings = option.includes("[no-]")
      ? ["", "no-"].map((no) => option.replace("[no-]", no))
      : [option];
    for (const spelling of spellings)
      given[`${name} ${spelling}`] = value === undefined ? "switch" : "option with a value";
    const choices = value?.includes("|") ? value.split("|") : [];
    for (const choice of choices) given[`${name} ${option} ${choice}`] = "value";
  }
}

export interface Sources {
  readonly schema: PackageSchema;
  readonly commands: readonly Command[];
  readonly report: { readonly $defs?: { readonly [name: string]: Node } };
  readonly stateVersion: number;
}

export function surfaceOf({ schema, commands, report, stateVersion }: Sources): Surface {
  const surface: Surface = { given: {}, read: {} };
  addSchema(surface, schema);
  for (const command of commands) addCommand(surface.given, command);
  for (const [name, node] of Object.entries(report.$defs ?? {})) {
    surface.read[name] = "JSON";
    add(surface.read, name, node);
  }
  surface.read[SCHEMA] = `version ${stateVersion}`;
  return surface;
}

const ROOT = path.join(__dirname, "../../..");

export const today = (): Sources => ({
  schema: JSON.parse(readFileSync(path.join(ROOT, "provider/schema.json"), "utf8")),
  commands: COMMANDS,
  report: jsonSchemaOfReports(),
  stateVersion: CURRENT_SCHEMA,
});
