/** Turns kinds of rows into types of Pulumi's schema. Objects and choices become named types of the package. */
import type { Field, Kind, Rows } from "../../../provider/schema/kind";
import { NAME } from "../../../provider/schema/naming";
import type { SettingKind } from "../../../provider/schema/settings";
import { newerWords } from "../newerWords";
import type { Prose } from "./prose";

export interface Spec {
  readonly [name: string]: unknown;
}

/** `required` names the properties that are always present. */
export interface Members {
  readonly properties: { readonly [name: string]: Spec };
  readonly required?: readonly string[];
}

/** The place at which a type is used. */
interface Place {
  /** The prefix of the names of choice types, such as `Deployment`. */
  readonly root: string;
  /** The prefix of the names of object types, such as `DeploymentRollout`. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  /** Whether the value comes only from programs, never from the service. */
  readonly isGiven: boolean;
}

const ANY = { $ref: "pulumi.json#/Any" };

export const token = (name: string): string => `${NAME}:index:${name}`;
const reference = (name: string): Spec => ({ $ref: `#/types/${token(name)}` });

export class Types {
  readonly #prose: Prose;
  readonly #specs = new Map<string, Spec>();
  readonly #names = new Map<Rows, string>();

  constructor(prose: Prose) {
    this.#prose = prose;
  }

  /** The types, by token. */
  get specs(): { readonly [token: string]: Spec } {
    return Object.fromEntries([...this.#specs].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  given(root: string, rows: Rows): Members {
    return this.#members({ ...top(root), isGiven: true }, rows);
  }

  answered(root: string, rows: Rows): Members {
    return this.#members(top(root), rows);
  }

  /** Adds a named object with these rows, and returns a reference to it. */
  object(name: string, description: string, root: string, rows: Rows): Spec {
    this.#add(name, { description, type: "object", ...this.answered(root, rows) });
    return reference(name);
  }

  type(kind: SettingKind<unknown>, place: Place): Spec {
    switch (kind.type) {
      case "text":
      case "uuid":
      case "timestamp":
      case "address":
        return { type: "string" };
      case "integer":
      case "number":
      case "boolean":
        return { type: kind.type };
      case "choice":
        return this.#choice(kind, place);
      case "list":
        return { type: "array", items: this.type(kind.of, singular(place)) };
      case "map":
        return { type: "object", additionalProperties: this.type(kind.of, singular(place)) };
      case "keyed":
        return { type: "object", additionalProperties: this.#entry(kind, singular(place)) };
      case "json":
        return ANY;
      case "jsonObject":
        return { type: "object", additionalProperties: ANY };
      case "object":
        return this.#nested(kind.rows, place);
    }
  }

  #entry(kind: Extract<Kind<unknown>, { type: "keyed" }>, place: Place): Spec {
    return kind.single ? { type: "string" } : this.#nested(kind.rows, place);
  }

  #choice(kind: Extract<Kind<unknown>, { type: "choice" }>, place: Place): Spec {
    const { values, orUuid } = kind;
    const texts = [...values.filter((value) => typeof value === "string"), ...newerWords(kind)];
    const booleanTypes = values.some((value) => typeof value !== "string") ? [{ type: "boolean" }] : [];
    if (orUuid || texts.length === 0) return oneOf([...booleanTypes, { type: "string" }]);
    const name = joined(place.root, place.name);
    this.#add(name, {
      description: place.description,
      type: "string",
      enum: texts.map((value) => ({ value })),
    });
    // Python's type checkers accept a plain string only because this union also has the type `string`. A
    // newer service may also return other values.
    return oneOf([...booleanTypes, { type: "string" }, reference(name)]);
  }

  #nested(rows: Rows, place: Place): Spec {
    const existingName = this.#names.get(rows);
    if (existingName !== undefined) return reference(existingName);
    const named = this.#prose.ofTable(rows);
    const name = named ? joined(place.root, named.name) : joined(place.owner, place.name);
    this.#names.set(rows, name);
    const members = this.#members({ ...place, owner: name, isGiven: false }, rows);
    this.#add(name, { description: named?.prose ?? place.description, type: "object", ...members });
    return reference(name);
  }

  #members(place: Place, rows: Rows): Members {
    const entries = Object.entries(rows);
    const properties = entries.map(([name, row]): [string, Spec] => {
      const description = this.#prose.ofRow(row, `${place.owner}.${name}`);
      return [name, this.#property(row, { ...place, name, description })];
    });
    const required = entries.filter(([, row]) => row.required && (place.isGiven || !row.nullable));
    return {
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
    };
  }

  #property(row: Field<unknown>, place: Place): Spec {
    const replaces = place.isGiven && row.class === "replace";
    return {
      description: place.description,
      ...this.type(row.kind, place),
      ...(row.secret && { secret: true }),
      // The schema does not set replaceOnChanges, because the profile decides whether a change replaces the resource.
      ...(replaces && { willReplaceOnChanges: true }),
    };
  }

  /** If the type exists already, its description stays. Throws if a different type has the same name. */
  #add(name: string, spec: Spec): void {
    const existingSpec = this.#specs.get(token(name)) ?? spec;
    if (JSON.stringify({ ...existingSpec, description: "" }) !== JSON.stringify({ ...spec, description: "" }))
      throw new Error(`there are two types ${token(name)}: name one of the rows otherwise`);
    this.#specs.set(token(name), existingSpec);
  }
}

const top = (root: string): Place => ({
  root,
  owner: root,
  name: "",
  description: "",
  isGiven: false,
});

const oneOf = (specs: readonly Spec[]): Spec => (specs.length === 1 ? (specs[0] as Spec) : { oneOf: specs });

/** `Deployment`, `newRevisions` -> `DeploymentNewRevisions`; `Deployment`, `deploymentType` -> `DeploymentType`. */
function joined(owner: string, name: string): string {
  const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
  return capitalized.startsWith(owner) ? capitalized : owner + capitalized;
}

const singular = (place: Place): Place => ({ ...place, name: oneOfThem(place.name) });

/** `secretReferences` -> `secretReference`, `statuses` -> `status`, `repositories` -> `repository`. */
export function oneOfThem(names: string): string {
  return names.replace(/ies$/, "y").replace(/(?<=ss|us)es$|(?<![su])s$/, "");
}
