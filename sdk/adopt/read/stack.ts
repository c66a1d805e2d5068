/** Reads deployments and listeners from the output of `pulumi stack export`, without secret values. */
import { z } from "zod";
import { isMarked } from "../../../provider/engine/marks";
import { fromRecorded } from "../../../provider/engine/schema";
import { hiddenBy } from "../../../provider/schema/check";
import { deploymentRows } from "../../../provider/schema/deployment";
import type { Rows } from "../../../provider/schema/kind";
import { listenerRows } from "../../../provider/schema/listener";
import { nameIn, stackOf } from "../../../provider/schema/naming";
import type { Arguments, State } from "../../../provider/schema/recorded";
import { isProperties, type Properties, valueAt } from "../../../provider/schema/value";
import { checkDocument, documentsIn } from "../../report/read/documents";
import { secretPathsOf, secretPlaces, unpacked } from "../../report/read/hidden";
import { kindOf } from "../../report/read/lines";

export type StackResource = ReturnType<typeof resourceOf>[number];

const properties = z.custom<Properties>(isProperties, "expected an object");
const resource = z.looseObject({
  urn: z.string(),
  id: z.string().optional(),
  provider: z.string().optional(),
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
  pendingReplacement: z.boolean().optional(),
  created: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
});
const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(z.looseObject({ type: z.string(), resource })).nullish(),
  }),
});

/** A resource in an export. */
export type Entry = z.output<typeof resource>;

/** The contents of a file or the output of a command, and the name to use in error messages. */
export interface Source {
  readonly text: string;
  readonly name: string;
}

/** The states in an export. Throws an Error for a faulty export. The message names the place and quotes no value. */
export function statesIn({ text, name }: Source) {
  const documents = documentsIn(text, name, "the output of `pulumi stack export`");
  return documents.map((document) => checkDocument(exported, document, `${name}: `).deployment);
}

/**
 * The resources in the exports. Throws an Error for a faulty export, or for two exports of the same stack. Throws a
 * RefusedError if a newer version of this package wrote a state.
 */
export function resourcesIn(sources: readonly Source[]): StackResource[] {
  const sourceOf = new Map<string, string>();
  return sources.flatMap((source) =>
    statesIn(source).flatMap(({ resources }) => {
      const entries = resources ?? [];
      const stack = entries.map(({ urn }) => stackOf(urn)).find((each) => each !== undefined);
      const earlier = stack === undefined ? undefined : sourceOf.get(stack);
      if (earlier !== undefined)
        throw new Error(
          `${source.name}: is of the stack ${stack}, and so is ${earlier}; name each stack once`,
        );
      if (stack !== undefined) sourceOf.set(stack, source.name);
      return entries.flatMap(resourceOf);
    }),
  );
}

const ROWS = { deployment: deploymentRows, listener: listenerRows };

function resourceOf(entry: Entry) {
  const { urn, id, inputs = {}, external = false } = entry;
  const kind = kindOf(urn);
  // A resource that awaits deletion no longer belongs to the program.
  if (kind === undefined || id === undefined || entry.delete === true) return [];
  const recording = recordingOf(entry);
  const { values, secretPaths } = recording;
  const names = secretNamesIn(values, inputs);
  const rows: Rows = ROWS[kind];
  const places = recording.secretPlaces.filter(
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
      /** The recorded properties, without the values that the export hides. `secrets` has only names. */
      state: { ...publicValues, ...(names.length === 0 ? {} : { secrets }) } as State,
      hidden: hiddenBy(secretPaths),
      /** Paths of the arguments whose values the export hides. */
      sealed: places
        .filter((place) => valueAt(publicValues, place) === undefined)
        .map((place) => place.join(".")),
    },
  ];
}

/**
 * Returns the paths of secrets, the places of secret arguments, and the values that the export does not hide. Throws
 * a RefusedError if a newer version wrote the state.
 */
export function recordingOf({ inputs = {}, outputs = inputs }: Pick<Entry, "inputs" | "outputs">) {
  const places = secretPlaces(inputs, isMarked);
  const paths = [{ inputs }, { inputs: outputs }].flatMap(secretPathsOf);
  return {
    values: opened(unpacked(fromRecorded(outputs))) as State,
    secretPaths: ["secrets", ...places.map((place) => place.join(".")), ...paths],
    secretPlaces: places,
  };
}

/** The state records a generation for each secret, under the secret's plaintext name. */
function secretNamesIn({ secretGenerations }: State, { secrets }: Arguments): string[] {
  if (isProperties(secretGenerations)) return Object.keys(secretGenerations);
  return isProperties(secrets) && !isMarked(secrets) ? Object.keys(secrets) : [];
}

/** Removes the secrets that the export hides, and each list that contains a hidden secret. */
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
