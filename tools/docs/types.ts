/**
 * Makes TypeScript types from the rows: the types of the values that scripts give to the clients and get from them. The
 * types are plain interfaces, so that an editor's hover and a compiler's message are short.
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
import { deploymentFilterRows, revisionFilterRows } from "../../provider/schema/filters";
import type { Kind, Rows } from "../../provider/schema/kind";
import { repositoryRows } from "../../provider/schema/repository";
import { revisionRows } from "../../provider/schema/revision";
import { tokenMetadataRows } from "../../provider/schema/tokenMetadata";
import type { Prose } from "./schema/prose";
import { oneOfThem } from "./schema/types";

/** The kinds of interfaces. `Value`: plain values. `Change`: null clears a field. `Filters`: the filters of a list. */
type Form = "Value" | "Change" | "Filters";

/** The generated file. The formatter and the guard of file lengths ignore the file. */
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
  add(form: Form, name: string, about: string, root: string, rows: Rows, base?: Base) {
    if (this.#texts.has(name)) return;
    // An empty text reserves the place of the interface in front of the objects inside the interface.
    this.#texts.set(name, "");
    const ownRows = Object.entries(rows).filter(([member, row]) => base?.rows[member] !== row);
    const members = ownRows.map(([member, row]) => {
      const prose = this.#prose.ofRow(row, `${name}.${member}`);
      const type = this.#type(row.kind, form, `${root}.${member}`, prose);
      const isOptional = form === "Change" || row.required !== true;
      const start = `${form === "Value" ? "readonly " : ""}${member}${isOptional ? "?" : ""}`;
      return `  ${commented(prose, "  ")}\n  ${start}: ${type}${form === "Change" ? " | null" : ""};\n`;
    });
    const parent = base === undefined ? "" : ` extends ${base.type}`;
    this.#texts.set(
      name,
      `${commented(about, "")}\nexport interface ${name}${parent} {\n${members.join("")}}\n`,
    );
  }

  #type(kind: Kind<unknown>, form: Form, place: string, about: string): string {
    const part = (of: Kind<unknown>, within: Form = form) => this.#type(of, within, oneOfThem(place), about);
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
        return "Json";
      case "jsonObject":
        return "JsonObject";
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
    this.add("Value", base, table?.prose ?? about, base, rows);
    return form === "Change" ? `ChangeOf<${base}>` : base;
  }
}

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

/** The text of the generated file, by path. */
export function typeFiles(prose: Prose): { readonly [file: string]: string } {
  const interfaces = new Interfaces(prose);
  for (const [form, name, about, root, rows, base] of CLIENT)
    interfaces.add(form, name, about, root, rows, base);
  const head = [HEAD, 'import type { ChangeOf, Json, JsonObject } from "../schema/kind";\n'];
  return { [CLIENT_TYPES]: [...head, ...interfaces.texts.values()].join("\n") };
}
