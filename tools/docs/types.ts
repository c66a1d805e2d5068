/**
 * Makes TypeScript types from the rows: the types of the values that programs and scripts give to the package and get
 * from the package. The types are plain interfaces, so that an editor's hover and a compiler's message are short.
 */
import {
  deploymentAnswerRows,
  deploymentChangeRows,
  foundRows,
  listenerAnswerRows,
  listenerChangeRows,
  newDeploymentRows,
  newListenerRows,
  tokenAnswerRows,
} from "../../provider/client/resources";
import { RESOURCES } from "../../provider/resources";
import { deploymentFilterRows, revisionFilterRows } from "../../provider/schema/filters";
import type { Field, Kind, Rows } from "../../provider/schema/kind";
import { lookUpRows } from "../../provider/schema/lookups";
import { repositoryRows } from "../../provider/schema/repository";
import { revisionRows } from "../../provider/schema/revision";
import { rolloutRows } from "../../provider/schema/rollout";
import { tokenMetadataRows } from "../../provider/schema/tokenMetadata";
import { PROGRAM_TYPES, type Prose } from "./schema/prose";
import { oneOfThem } from "./schema/types";

/**
 * The kinds of interfaces. `Value`: plain values. `Args`: arguments, any part of which may be an output. `Change`: null
 * clears a field. `Filters`: the filters of a list. `Outputs`: the outputs of a resource.
 */
type Form = "Value" | "Args" | "Change" | "Filters" | "Outputs";

/** A generated file, like `PROGRAM_TYPES`. The formatter and the guard of file lengths ignore both files. */
export const CLIENT_TYPES = "provider/client/types.ts";

const HEAD = "/** Made by `npm run docs` from the tables of fields. */";

/** The interface that another one extends, and the rows of its members. */
interface Base {
  readonly type: string;
  readonly rows: Rows;
}

class Interfaces {
  readonly #prose: Prose;
  readonly #bases = new Map<Rows, string>();
  readonly #texts = new Map<string, string>();

  constructor(prose: Prose) {
    this.#prose = prose;
  }

  /** All interfaces that have been added so far, by name. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /**
   * Adds an interface. `root`: the beginning of the names of the objects inside the interface. `base`: an interface that
   * already has some of the members.
   */
  add(
    form: Form,
    name: string,
    about: string,
    root: string,
    rows: Rows,
    reported: readonly string[] = [],
    base?: Base,
  ) {
    if (this.#texts.has(name)) return;
    // An empty text reserves the place of the interface in front of the objects inside the interface.
    this.#texts.set(name, "");
    const ownRows = Object.entries(rows).filter(([member, row]) => base?.rows[member] !== row);
    const members = ownRows.map(([member, row]) => {
      const prose = this.#prose.ofRow(row, `${name}.${member}`);
      const type = this.#type(row.kind, form, `${root}.${member}`, prose);
      const start = `${["Outputs", "Value"].includes(form) ? "readonly " : ""}${member}${isOptional(row, form) ? "?" : ""}`;
      return `  ${commented(prose, "  ")}\n  ${start}: ${memberType(row, form, type, reported.includes(member))};\n`;
    });
    const parent = base === undefined ? "" : ` extends ${base.type}`;
    this.#texts.set(
      name,
      `${commented(about, "")}\nexport interface ${name}${parent} {\n${members.join("")}}\n`,
    );
  }

  /** Adds an interface that is derived as a whole from another type. */
  addDerived(name: string, about: string, type: string) {
    if (this.#texts.has(name)) return;
    this.#texts.set(name, `${commented(about, "")}\nexport interface ${name} extends ${type} {}\n`);
  }

  #type(kind: Kind<unknown>, form: Form, place: string, about: string): string {
    const part = (of: Kind<unknown>, within: Form = form) => {
      const type = this.#type(of, within, oneOfThem(place), about);
      return form === "Args" ? `pulumi.Input<${type}>` : type;
    };
    switch (kind.type) {
      case "text":
      case "uuid":
      case "timestamp":
        return "string";
      case "integer":
      case "number":
        return "number";
      case "boolean":
        return "boolean";
      case "choice":
        return inOrder(this.#prose.ofChoice(kind), kind.values);
      case "json":
        return form === "Args" ? "any" : "Json";
      case "jsonObject":
        return form === "Args" ? "{ [name: string]: any }" : "JsonObject";
      case "list":
        return list(part(kind.of, form === "Change" ? "Value" : form), form);
      case "map":
        return `{ [name: string]: ${part(kind.of)}${form === "Change" ? " | null | undefined" : ""} }`;
      case "keyed":
        return `{ [name: string]: ${part(kind.single ? { type: "text" } : { ...kind, type: "object" })}${form === "Change" ? " | null | undefined" : ""} }`;
      case "object":
        return this.#nested(kind.rows, form, place, about);
    }
  }

  #nested(rows: Rows, form: Form, place: string, about: string): string {
    const table = this.#prose.ofTable(rows);
    const base = this.#bases.get(rows) ?? table?.name ?? baseOf(place);
    this.#bases.set(rows, base);
    const suffix = form === "Args" ? form : "";
    const twin = this.#twinOf(rows, suffix);
    if (twin === undefined) this.add(suffix || "Value", base + suffix, table?.prose ?? about, base, rows);
    else this.addDerived(base + suffix, about, twin);
    return form === "Change" ? `ChangeOf<${base}>` : base + suffix;
  }

  /** An earlier interface with the same members: a table is copied where the plugin's schema names it again. */
  #twinOf(rows: Rows, suffix: string): string | undefined {
    const names = Object.keys(rows);
    const [, base = ""] =
      [...this.#bases].find(
        ([earlier]) =>
          earlier !== rows &&
          Object.keys(earlier).length === names.length &&
          names.every((name) => earlier[name] === rows[name]),
      ) ?? [];
    return this.#texts.has(base + suffix) ? base + suffix : undefined;
  }
}

function memberType(row: Field<unknown>, form: Form, type: string, isReported: boolean): string {
  if (form === "Args") return `pulumi.Input<${type}${row.required ? "" : " | undefined"}>`;
  if (form === "Change") return `${type} | null`;
  if (form !== "Outputs") return type;
  const isAlwaysSet = row.required || (row.nullable && isReported);
  return `pulumi.Output<${type}${row.nullable ? " | null" : ""}${isAlwaysSet ? "" : " | undefined"}>`;
}

const isOptional = (row: Field<unknown>, form: Form): boolean =>
  form === "Change" || (form !== "Outputs" && row.required !== true);

/** The union of a choice: the row's values come first, in the row's order instead of the compiler's order. */
function inOrder(union: string, values: readonly unknown[]): string {
  const members = union.split(" | ");
  const first = values.map((value) => JSON.stringify(value)).filter((value) => members.includes(value));
  return [...first, ...members.filter((member) => !first.includes(member))].join(" | ");
}

const list = (of: string, form: Form): string => {
  const element = /[ |&]/.test(of.replace(/<.*>/, "")) ? `(${of})` : of;
  return `${form === "Filters" ? "readonly " : ""}${element}[]`;
};

/** `Deployment.rollout` -> `DeploymentRollout`. */
const baseOf = (place: string): string => {
  const [root, name] = place.split(".") as [string, string];
  return root + name.charAt(0).toUpperCase() + name.slice(1);
};

function commented(prose: string, indent: string): string {
  const lines = prose.split("\n");
  if (lines.length === 1) return `/** ${prose} */`;
  return ["/**", ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n");
}

/** The interfaces for scripts: form, name, prose, root, rows, and the interface that it extends, if any. */
const CLIENT = [
  ["Value", "NewDeployment", "Fields of a new deployment.", "Deployment", newDeploymentRows],
  [
    "Value",
    "DeploymentAnswer",
    "A deployment as the service returns it, with secrets as far as the service shows them.",
    "Deployment",
    deploymentAnswerRows,
    { type: "NewDeployment", rows: newDeploymentRows },
  ],
  [
    "Change",
    "DeploymentChange",
    "Changes for a PATCH of a deployment. Fields left out stay as they are; null clears a field if the service can.",
    "Deployment",
    deploymentChangeRows,
  ],
  [
    "Filters",
    "DeploymentFilters",
    "Filters: a deployment must meet all of them.",
    "Deployment",
    deploymentFilterRows,
  ],
  [
    "Value",
    "ShownDeployment",
    "A deployment with only the names of its secrets.",
    "Deployment",
    foundRows.getDeployments,
    { type: 'Omit<DeploymentAnswer, "secrets">', rows: deploymentAnswerRows },
  ],
  ["Value", "RevisionAnswer", "A revision as the service returns it.", "Revision", revisionRows],
  [
    "Filters",
    "RevisionFilters",
    "Filters: a revision must meet all of them.",
    "Revision",
    revisionFilterRows,
  ],
  ["Value", "NewListener", "Fields of a new listener.", "Listener", newListenerRows],
  [
    "Value",
    "ListenerAnswer",
    "A listener as the service returns it.",
    "Listener",
    listenerAnswerRows,
    { type: "NewListener", rows: newListenerRows },
  ],
  ["Change", "ListenerChange", "Changes for a PATCH of a listener.", "Listener", listenerChangeRows],
  ["Value", "RepositoryAnswer", "A repository of an integration.", "Repository", repositoryRows],
  ["Value", "TokenMetadataAnswer", "Metadata of a stored token.", "TokenMetadata", tokenAnswerRows],
  [
    "Change",
    "TokenMetadataChange",
    "Changes for a PATCH of a token's metadata.",
    "TokenMetadata",
    tokenMetadataRows,
  ],
] as const satisfies readonly (readonly [Form, string, string, string, Rows, Base?])[];

// A program gives `verify` with each Deployment, and the class passes it on.
const { deployments: _byHand, verify: _ofDeployments, ...ownRolloutRows } = rolloutRows;

/** Resources whose class adds arguments by hand, with the rows of the generated interface and the end of its name. */
const ARGUMENTS: { readonly [resource: string]: { readonly rows: Rows; readonly suffix: string } } = {
  Rollout: { rows: ownRolloutRows, suffix: "OwnArgs" },
};

/** The texts of the generated files, by path. */
export function typeFiles(prose: Prose): { readonly [file: string]: string } {
  const interfaces = new Interfaces(prose);
  for (const [form, name, about, root, rows, base] of CLIENT)
    interfaces.add(form, name, about, root, rows, [], base);
  const client = new Map(interfaces.texts);
  for (const [name, { rows, outputRows, reported }] of Object.entries(RESOURCES)) {
    const args = ARGUMENTS[name] ?? { rows, suffix: "Args" };
    interfaces.add("Args", name + args.suffix, `Arguments of a ${name}.`, name, args.rows);
    interfaces.add(
      "Outputs",
      `${name}Outputs`,
      `Outputs of a ${name}.`,
      name,
      { ...rows, ...outputRows },
      reported,
    );
  }
  for (const [name, rows] of Object.entries(lookUpRows)) {
    const base = name.charAt(0).toUpperCase() + name.slice(1);
    interfaces.add("Filters", `${base}Args`, `Arguments of ${name}.`, base, rows);
    interfaces.addDerived(`${base}OutputArgs`, `Arguments of ${name}Output.`, `InputsOf<${base}Args>`);
  }
  const program = [...interfaces.texts].filter(([name]) => !client.has(name)).map(([, text]) => text);
  const imported = [...client.keys()]
    .filter((name) => new RegExp(`[ <(]${name}\\b`).test(program.join("")))
    .sort();
  return {
    [CLIENT_TYPES]: [
      HEAD,
      'import type { ChangeOf, Json, JsonObject } from "../schema/kind";\n',
      ...client.values(),
    ].join("\n"),
    [PROGRAM_TYPES]: [
      HEAD,
      'import type * as pulumi from "@pulumi/pulumi";',
      `import type { ${imported.join(", ")} } from "../../provider/client/types";`,
      'import type { Json } from "../../provider/schema/kind";',
      'import type { InputsOf } from "./inputs";\n',
      ...program,
    ].join("\n"),
  };
}
