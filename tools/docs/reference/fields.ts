/** Tables of fields: one table for the fields of a resource, and one for each object in these fields. */
import { type Field, imageReference, type Kind, type Rows } from "../../../provider/schema/kind";
import type { SettingKind } from "../../../provider/schema/settings";
import { newerWords } from "../newerWords";
import type { Prose } from "../schema/prose";
import { anchorOf, code, page, table, withDefault } from "./markdown";

/** A field, and its place in the tables. */
export interface Placed {
  readonly name: string;
  /** The field's path, such as `sourceConfig.resourceSpec.cpu`. */
  readonly path: string;
  readonly field: Field<unknown>;
  /** The object field that contains this field; undefined at the top level. */
  readonly within: Placed | undefined;
}

/** A column in addition to the field's name, type and prose. */
export interface Column {
  readonly head: string;
  readonly of: (placed: Placed, prose: string) => string;
  /** The sentence for a fact that all fields of an object share. */
  readonly ofAll: (words: string) => string;
}

/** An object that a table mentions, and the heading of the section for its fields. */
interface Nested {
  readonly rows: Rows;
  readonly placed: Placed;
  readonly heading: string;
}

/** A table of the rows, followed by a section for each object in the rows. `head`: the name of the first column. */
export class FieldTables {
  readonly #headings = new Map<Rows, string>();

  constructor(
    readonly prose: Prose,
    readonly head: string,
    readonly columns: readonly Column[],
    readonly typeNotes: (placed: Placed) => readonly string[] = () => [],
  ) {}

  of(rows: Rows, within?: Placed): string {
    const nested: Nested[] = [];
    const all = this.#inOrder(rows).map(
      ([name, field]): Placed => ({
        name,
        path: within === undefined ? name : `${within.path}.${name}`,
        field,
        within,
      }),
    );
    const wordsOf = (column: Column, placed: Placed) =>
      column.of(placed, this.prose.ofRow(placed.field, placed.path));
    const isShared = (column: Column) => new Set(all.map((placed) => wordsOf(column, placed))).size === 1;
    // If all fields of an object share a fact, one sentence above the table states the fact.
    const shared = within === undefined || all.length < 2 ? [] : this.columns.filter(isShared);
    const columns = this.columns.filter((column) => !shared.includes(column));
    const lines = all.map((placed) => {
      const { name, path, field } = placed;
      const type = [this.#type(field.kind, placed, nested), ...this.typeNotes(placed)].join("; ");
      const prose = this.prose.ofRow(field, path).replace(/\n+/g, " ");
      const shown = this.#hasDefaults ? withDefault(prose).prose : prose;
      return [code(name), type, ...columns.map((column) => wordsOf(column, placed)), shown];
    });
    const head = [this.head, "type", ...columns.map((column) => column.head), "what it is"];
    const same = shared.map((column) => column.ofAll(wordsOf(column, all[0] as Placed))).join(" ");
    const sections = nested.map(({ rows, placed, heading }) =>
      page(`### ${heading}`, this.#about(rows, placed), this.of(rows, placed)).trim(),
    );
    return page(same, table(head, lines), ...sections).trim();
  }

  get #hasDefaults(): boolean {
    return this.columns.some(({ head }) => head === "default");
  }

  /** Required arguments come first. */
  #inOrder(rows: Rows): [string, Field<unknown>][] {
    const all = Object.entries(rows);
    if (!this.#hasDefaults) return all;
    return [...all.filter(([, { required }]) => required), ...all.filter(([, { required }]) => !required)];
  }

  #about(rows: Rows, { field, path }: Placed): string {
    return this.prose.ofTable(rows)?.prose ?? this.prose.ofRow(field, path);
  }

  #type(kind: Kind<unknown>, placed: Placed, nested: Nested[]): string {
    const within = (of: Kind<unknown>) => this.#type(of, placed, nested);
    switch (kind.type) {
      case "list":
        return `list of ${plural(within(kind.of))}`;
      case "map":
        return `map of ${plural(within(kind.of))}`;
      case "keyed":
        return kind.single
          ? "map of strings"
          : `map of ${this.#object(kind.rows, placed, nested, "objects")}`;
      case "object":
        return this.#object(kind.rows, placed, nested, "object");
      default:
        return typeOf(kind);
    }
  }

  #object(rows: Rows, placed: Placed, nested: Nested[], word: string): string {
    const heading = this.#headings.get(rows) ?? `${this.#mark}${code(placed.path)}`;
    if (!this.#headings.has(rows)) nested.push({ rows, placed, heading });
    this.#headings.set(rows, heading);
    return `[${word}](#${anchorOf(heading)})`;
  }

  /** Keeps headings unique, because the arguments and the outputs of a page may have objects with the same path. */
  get #mark(): string {
    return this.head === "argument" ? "" : `${this.head[0]?.toUpperCase()}${this.head.slice(1)} `;
  }
}

/** Names the additional values that a choice has under LangSmith. */
export function newerNotes({ field }: Placed): string[] {
  const words = newerWords(field.kind).map((word) => code(JSON.stringify(word)));
  return words.length === 0 ? [] : [`langsmith: also ${words.join(", ")}`];
}

const plural = (type: string): string =>
  type.replace(/^(string|integer|number|object|UUID)\b/, "$1s").replace(/^\[object\]/, "[objects]");

/** The type of a value without fields, with its bounds and its choices. */
export function typeOf(kind: SettingKind<unknown>): string {
  switch (kind.type) {
    case "text":
      if (kind === imageReference) return "image reference";
      return kind.regex ? "string, not empty" : "string";
    case "uuid":
      return "UUID";
    case "timestamp":
      return "time (ISO 8601)";
    case "address":
      return "http or https URL";
    case "integer":
    case "number":
      if (kind.maximum !== undefined) return `${kind.type} from ${kind.minimum} to ${kind.maximum}`;
      return kind.minimum === undefined ? kind.type : `${kind.type}, at least ${kind.minimum}`;
    case "choice":
      return [
        ...kind.values.map((value) => code(JSON.stringify(value))),
        ...(kind.orUuid ? ["UUID"] : []),
      ].join(", ");
    case "json":
      return "any JSON value";
    case "jsonObject":
      return "JSON object";
    case "map":
      return `map of ${plural(typeOf(kind.of))}`;
    case "list":
      return `list of ${plural(typeOf(kind.of))}`;
    case "boolean":
      return "boolean";
    case "object":
    case "keyed":
      throw new Error(`a ${kind.type} has fields of its own`);
  }
}

/** The column that shows the default of a field, or says that the field is required. */
export const initialColumn = (
  ofDefault: (placed: Placed) => string | undefined = () => undefined,
): Column => ({
  head: "default",
  ofAll: (words) =>
    words === ""
      ? "All are optional."
      : words === REQUIRED
        ? "All are required."
        : `The default of all is ${words}.`,
  of: (placed, prose) => ofDefault(placed) ?? initialOf(placed.field, prose),
});

export const REQUIRED = "**required**";

/** The default of a field or a setting, in words. */
export function initialOf(
  row: { readonly required?: boolean; readonly default?: unknown },
  prose: string,
): string {
  if (row.required) return REQUIRED;
  return row.default === undefined ? withDefault(prose).initial : code(JSON.stringify(row.default));
}
