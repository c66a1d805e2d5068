/**
 * Lists the facts on which programs, scripts and readers of a released version rely, as a flat map from places to
 * types.
 */

/** The type of each place, such as `Deployment input name`. A `!` after the type means that the place is required. */
export type Surface = Readonly<Record<string, string>>;
type Facts = [place: string, type: string][];

interface Shape {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

export interface PackageSchema {
  readonly config: { readonly variables: Readonly<Record<string, Shape>> };
  readonly types?: Readonly<Record<string, Shape>>;
  readonly resources: Readonly<
    Record<
      string,
      Shape & {
        readonly inputProperties?: Readonly<Record<string, Shape>>;
        readonly requiredInputs?: readonly string[];
      }
    >
  >;
  readonly functions: Readonly<Record<string, { readonly inputs?: Shape; readonly outputs?: Shape }>>;
}

const lastOf = (token: string): string => token.split(/[:/]/).at(-1) as string;

/** The type of a value, as one line. Nested properties and enum values are separate facts, so they are left out. */
function typeOf(shape: Shape): string {
  if (shape.$ref) return lastOf(shape.$ref);
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.map(typeOf).sort().join(" | ");
  if (shape.items) return `list of ${typeOf(shape.items)}`;
  if (typeof shape.additionalProperties === "object") return `map of ${typeOf(shape.additionalProperties)}`;
  return [shape.type ?? "any"].flat().sort().join(" | ");
}

function factsOf(place: string, shape: Shape | undefined): Facts {
  if (!shape) return [];
  // An enum in Pulumi's schema has objects with a value; an enum in a JSON Schema has the values themselves.
  const values = (shape.enum ?? []).map((each) => (each as { value?: unknown }).value ?? each);
  const nested = [shape.items, shape.additionalProperties, ...(shape.anyOf ?? [])].flatMap((each) =>
    typeof each === "object" ? factsOf(place, each) : [],
  );
  const properties = Object.entries(shape.properties ?? {}).flatMap(([name, property]): Facts => {
    const isRequired = shape.required?.includes(name) === true;
    return [
      [`${place} ${name}`, `${typeOf(property)}${isRequired ? "!" : ""}`],
      ...factsOf(`${place} ${name}`, property),
    ];
  });
  return [...valueFacts(place, values), ...nested, ...properties];
}

const valueFacts = (place: string, values: readonly unknown[]): Facts =>
  values.map((each) => [`${place} value ${String(each)}`, "allowed"]);

/** The arguments and outputs of the resources. A state holds the same properties. */
export function surfaceOfSchema({ types = {}, resources, functions }: PackageSchema): Surface {
  return Object.fromEntries([
    ...Object.entries(resources).flatMap(([token, resource]): Facts => {
      const { inputProperties: properties = {}, requiredInputs: required = [] } = resource;
      const name = lastOf(token);
      const inputs = factsOf(`${name} input`, { properties, required });
      return [[name, "resource"], ...factsOf(`${name} output`, resource), ...inputs];
    }),
    ...Object.entries(functions).flatMap(([token, { inputs, outputs }]): Facts => {
      const name = lastOf(token);
      const answer = factsOf(`${name} output`, outputs);
      return [[name, "function"], ...factsOf(`${name} input`, inputs), ...answer];
    }),
    ...Object.entries(types).flatMap(([token, shape]): Facts => {
      const name = lastOf(token);
      return [[name, "type"], ...factsOf(`${name} type`, shape)];
    }),
  ]);
}

interface SettingRow {
  readonly kind: { readonly type: string; readonly values?: readonly unknown[] };
  readonly required?: boolean;
}

/** The settings: the schema says their types, and the rows say which are required and which values they allow. */
export function surfaceOfSettings(
  { config }: PackageSchema,
  rows: Readonly<Record<string, SettingRow>>,
): Surface {
  const required = Object.keys(rows).filter((name) => rows[name]?.required === true);
  return Object.fromEntries([
    ["setting", "configuration"],
    ...factsOf("setting", { properties: config.variables, required }),
    ...Object.entries(rows).flatMap(([name, { kind }]) => valueFacts(`setting ${name}`, kind.values ?? [])),
  ]);
}

export function surfaceOfReports({ $defs }: { $defs: Readonly<Record<string, Shape>> }): Surface {
  return Object.fromEntries(
    Object.entries($defs).flatMap(
      ([name, shape]): Facts => [[`json ${name}`, "JSON"], ...factsOf(`json ${name} output`, shape)],
    ),
  );
}

/**
 * The hidden members of states, and the schema version of states. A new schema version is a breaking change, because an
 * older package refuses the newer states.
 */
export const surfaceOfStates = (version: number, hidden: readonly string[]): Surface => ({
  ...Object.fromEntries(hidden.map((name) => [`state ${name}`, "property"])),
  "state __schemaVersion": String(version),
});

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly options: readonly { readonly flag: string }[];
}

const KINDS: readonly [form: RegExp, kind: string][] = [
  [/\|/, "choice"],
  [/,…$/, "list"],
  [/^N$/, "number"],
  [/./, "text"],
];

/**
 * The flags of a command with their kinds and choices; `--[no-]log` counts as two flags. A flag is required if it is
 * outside brackets in the usage. `choices`: by command and flag, the choices that the flag's help text does not list.
 */
export function surfaceOfCommand(
  { name, usage, options }: Command,
  choices: Readonly<Record<string, readonly string[]>> = {},
): Surface {
  const place = `command ${name}`;
  const requiredWords = usage.replace(/\[[^\]]*\]/g, "").split(" ");
  const facts = options.flatMap(({ flag }): Facts => {
    const [option = "", value = ""] = flag.split(" ");
    const kind = KINDS.find(([form]) => form.test(value))?.[1] ?? "switch";
    const type = `${kind}${requiredWords.includes(option) ? "!" : ""}`;
    const words = value.includes("|") ? value.split("|") : [];
    const allWords = [...new Set([...words, ...(choices[`${name} ${option}`] ?? [])])];
    const spellings = option.includes("[no-]")
      ? [option.replace("[no-]", ""), option.replace("[no-]", "no-")]
      : [option];
    return spellings.flatMap(
      (spelling): Facts => [[`${place} ${spelling}`, type], ...valueFacts(`${place} ${spelling}`, allWords)],
    );
  });
  return Object.fromEntries([[place, "command"], ...facts]);
}
