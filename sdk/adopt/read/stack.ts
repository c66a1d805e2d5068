/** Reads deployments and listeners from the output of `pulumi stack export`, without secret values. */
import { z } from "zod";
import { type Hidden, hiddenBy } from "../../../provider/fields/check";
import { deploymentRows } from "../../../provider/fields/deployment";
import type { Rows } from "../../../provider/fields/kind";
import { listenerRows } from "../../../provider/fields/listener";
import { nameIn, resourceOfType, stackOf, typeIn } from "../../../provider/fields/naming";
import { isProperties, type Properties, valueAt, withValueAt } from "../../../provider/fields/value";
import { isMarked } from "../../../provider/host/marks";
import { fromRecorded } from "../../../provider/host/schema";
import { checkDocument, documentsIn } from "../../report/read/documents";
import { secretPathsOf, unpacked } from "../../report/read/hidden";

export interface StackResource {
  readonly kind: "deployment" | "listener";
  readonly id: string;
  /** `project/stack`. */
  readonly stack: string;
  /** Name in the program. */
  readonly name: string;
  /** Whether the program only reads it. */
  readonly isRead: boolean;
  /** As recorded, without values that the export hides: `secrets` has only the names. */
  readonly state: Properties;
  readonly hidden: Hidden;
  /** Paths of the arguments whose values the export hides. */
  readonly sealed: readonly string[];
}

const properties = z.custom<Properties>(isProperties, "expected an object");
const resource = z.looseObject({
  urn: z.string(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
});
const exported = z.looseObject({
  deployment: z.looseObject({ resources: z.array(resource).nullish() }),
});

const KINDS: ReadonlyMap<string | undefined, StackResource["kind"]> = new Map([
  ["Deployment", "deployment"],
  ["Listener", "listener"],
]);

/** A file, or standard input. */
interface Source {
  readonly text: string;
  readonly name: string;
}

/**
 * Throws an Error with the place of the fault or for a stack that is given twice, and a RefusedError for a state written
 * by a newer version.
 */
export function resourcesIn(sources: readonly Source[]): StackResource[] {
  const sourceOf = new Map<string, string>();
  return sources.flatMap(({ text, name }) =>
    // An export made with --show-secrets holds secrets in plaintext, so no error quotes it.
    documentsIn(text, name, "the output of `pulumi stack export`", false).flatMap((document) => {
      const { deployment } = checkDocument(exported, document, `${name}: `, false);
      const entries = deployment.resources ?? [];
      const stack = entries.map(({ urn }) => stackOf(urn)).find((each) => each !== undefined);
      const earlier = stack === undefined ? undefined : sourceOf.get(stack);
      if (earlier !== undefined)
        throw new Error(`${name}: is of the stack ${stack}, and so is ${earlier}; give each stack once`);
      if (stack !== undefined) sourceOf.set(stack, name);
      return entries.flatMap(resourceOf);
    }),
  );
}

const ROWS = { deployment: deploymentRows, listener: listenerRows };

function resourceOf(entry: z.output<typeof resource>): StackResource[] {
  const { urn, id, inputs = {}, external = false } = entry;
  const kind = KINDS.get(resourceOfType(typeIn(urn)));
  // A resource that awaits its deletion no longer belongs to the program.
  if (kind === undefined || id === undefined || entry.delete === true) return [];
  const { values, secretPaths, secretPlaces } = recordingOf(entry);
  const names = secretNamesIn(values, inputs);
  const rows: Rows = ROWS[kind];
  const places = secretPlaces.filter(
    ([name = ""]) => Object.hasOwn(rows, name) && rows[name]?.secret === undefined,
  );
  const { secrets: _values, ...publicValues } = values;
  const secrets = Object.fromEntries(names.map((name) => [name, ""]));
  return [
    {
      kind,
      id,
      stack: stackOf(urn) ?? "",
      name: nameIn(urn),
      isRead: external,
      state: { ...publicValues, ...(names.length === 0 ? {} : { secrets }) },
      hidden: hiddenBy(secretPaths),
      sealed: places
        .filter((place) => valueAt(publicValues, place) === undefined)
        .map((place) => place.join(".")),
    },
  ];
}

/** A resource's recorded properties. */
interface Recording {
  /** As recorded, without values that the export hides. */
  readonly values: Properties;
  readonly secretPaths: readonly string[];
  /** The paths of the arguments that are marked secret. */
  readonly secretPlaces: readonly (readonly string[])[];
}

/** Reads the outputs, or the inputs of a resource that has no outputs yet. Throws a RefusedError for a newer version. */
export function recordingOf({
  inputs = {},
  outputs = inputs,
}: Pick<z.output<typeof resource>, "inputs" | "outputs">): Recording {
  const secretPlaces = markedPlaces(inputs);
  // The plugin's outputs have no secrets, so the secrets come from its inputs.
  const whole = secretPlaces.reduce(
    (filled, place) =>
      withValueAt(filled, place, valueAt(filled, place) ?? valueAt(inputs, place)) as Properties,
    unpacked(fromRecorded(outputs, [])),
  );
  const paths = [{ inputs }, { inputs: outputs }].flatMap(secretPathsOf);
  return {
    values: opened(whole) as Properties,
    secretPaths: ["secrets", ...secretPlaces.map((place) => place.join(".")), ...paths],
    secretPlaces,
  };
}

/** The names of the program's secrets, whose generations are recorded in plaintext. */
export function secretNamesIn({ secretGenerations }: Properties, { secrets }: Properties): string[] {
  if (isProperties(secretGenerations)) return Object.keys(secretGenerations);
  return isProperties(secrets) && !isMarked(secrets) ? Object.keys(secrets) : [];
}

/** Path of each secret value, or of the list that holds it, because lists are compared whole. */
function markedPlaces(value: unknown): string[][] {
  if (isMarked(value) || (Array.isArray(value) && holdsMark(value))) return [[]];
  if (!isProperties(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    markedPlaces(member).map((place) => [name, ...place]),
  );
}

/** The value without the secrets that the export hides, and without each list that holds one. */
export function opened(value: unknown): unknown {
  if (isMarked(value))
    return typeof value.plaintext === "string" ? opened(JSON.parse(value.plaintext)) : undefined;
  if (Array.isArray(value)) {
    const elements = value.map(opened);
    return elements.includes(undefined) ? undefined : elements;
  }
  if (!isProperties(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, opened(member)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function holdsMark(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isMarked(value) || Object.values(value).some(holdsMark);
}
