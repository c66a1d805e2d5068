/** Facts on which programs, scripts and readers of a released version rely, as one flat list, and how they may change. */

/** A fact's place, such as `schema Deployment input name`, and its type; `!` after a type means that it is required. */
export type Surface = Readonly<Record<string, string>>;

interface Shape {
  readonly type?: string;
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

/** The type of a value in one line; nested properties and the values of an enum are facts of their own. */
function typeOf(shape: Shape): string {
  if (shape.$ref) return shape.$ref;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.map(typeOf).sort().join(" | ");
  if (shape.items) return `${typeOf(shape.items)}[]`;
  if (typeof shape.additionalProperties === "object") return `map of ${typeOf(shape.additionalProperties)}`;
  return shape.type ?? "any";
}

function factsOf(place: string, shape: Shape | undefined): [string, string][] {
  if (!shape) return [];
  // Pulumi's schema has objects with a value there, JSON Schema the values.
  const values = (shape.enum ?? []).map((each): [string, string] => [
    `${place} value ${JSON.stringify((each as { value?: unknown }).value ?? each)}`,
    "allowed",
  ]);
  const nested = [shape.items, shape.additionalProperties, ...(shape.anyOf ?? [])].flatMap((each) =>
    typeof each === "object" ? factsOf(place, each) : [],
  );
  const properties = Object.entries(shape.properties ?? {}).flatMap(([name, property]) => [
    [`${place} ${name}`, `${typeOf(property)}${shape.required?.includes(name) ? "!" : ""}`] as [
      string,
      string,
    ],
    ...factsOf(`${place} ${name}`, property),
  ]);
  return [...values, ...nested, ...properties];
}

/** The settings, arguments and outputs of the package, which are also what its states hold. */
export function surfaceOfSchema({ config, types = {}, resources, functions }: PackageSchema): Surface {
  return Object.fromEntries([
    ...factsOf("setting", { properties: config.variables }),
    ...Object.entries(resources).flatMap(([name, resource]) => [
      [name, "resource"],
      ...factsOf(`${name} output`, resource),
      ...factsOf(`${name} input`, {
        properties: resource.inputProperties ?? {},
        required: resource.requiredInputs ?? [],
      }),
    ]),
    ...Object.entries(functions).flatMap(([name, { inputs, outputs }]) => [
      [name, "function"],
      ...factsOf(`${name} input`, inputs),
      ...factsOf(`${name} output`, outputs),
    ]),
    ...Object.entries(types).flatMap(([name, shape]) => factsOf(`${name} type`, shape)),
  ]);
}

export function surfaceOfReports({ $defs }: { $defs: Readonly<Record<string, Shape>> }): Surface {
  return Object.fromEntries(
    Object.entries($defs).flatMap(([name, shape]) => factsOf(`json ${name} output`, shape)),
  );
}

/** An older package refuses a newer state, so each new version breaks the way back. */
export const surfaceOfStates = (version: number): Surface => ({ "state __schemaVersion": String(version) });

/** The flags that a command's help names; `--[no-]log` names two. */
export function surfaceOfHelp(command: string, help: string): Surface {
  const flags = (help.match(/(?<=^ {2})--(?:\[no-\])?[a-z][a-z-]*/gm) ?? []).flatMap((flag) =>
    flag.includes("[no-]") ? [flag.replace("[no-]", ""), flag.replace("[no-]", "no-")] : [flag],
  );
  return Object.fromEntries([...new Set(flags)].sort().map((flag) => [`command ${command} ${flag}`, "flag"]));
}

/** Changes that break what relies on `before`, one per line. */
export function breaksBetween(before: Surface, now: Surface): string[] {
  const isOutput = (place: string) => place.includes(" output ");
  const bare = (type: string) => type.replace(/!$/, "");
  const changed = Object.entries(before).flatMap(([place, type]) => {
    const today = now[place];
    if (today === undefined) return [`${place}: removed`];
    if (bare(today) !== bare(type)) return [`${place}: was ${bare(type)}, is ${bare(today)}`];
    if (today === type) return [];
    if (today.endsWith("!")) return isOutput(place) ? [] : [`${place}: now required`];
    return isOutput(place) ? [`${place}: may now be absent`] : [];
  });
  // A property of something new asks nothing of anybody.
  const added = Object.entries(now).flatMap(([place, type]) => {
    const parent = place.slice(0, place.lastIndexOf(" "));
    const isOld = Object.keys(before).some((each) => each.startsWith(`${parent} `));
    return !(place in before) && type.endsWith("!") && !isOutput(place) && isOld
      ? [`${place}: new, required`]
      : [];
  });
  return [...changed, ...added];
}

/** The breaks that no entry marked **Breaking** names. */
export function unannounced(breaks: readonly string[], unreleased: string): string[] {
  const entries = unreleased.split(/\n(?=- |#)/).filter((entry) => entry.includes("**Breaking**"));
  return breaks.filter((each) => {
    const name = each.slice(0, each.indexOf(": ")).split(" ").at(-1)?.replace(/^"|"$/g, "");
    return !entries.some((entry) => entry.includes(`\`${name}\``));
  });
}
