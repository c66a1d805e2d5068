/** Reads deployments and listeners from the output of `pulumi stack export`, without secret values. */
import { z } from "zod";
import { type Hidden, hiddenBy } from "../../../provider/fields/check";
import { nameIn, resourceOfType, stackOf, typeIn } from "../../../provider/fields/naming";
import { isProperties, type Properties } from "../../../provider/fields/value";
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
  /** As recorded, without secret values: secrets have their names alone. */
  readonly state: Properties;
  readonly hidden: Hidden;
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

/** Throws an Error with the place of the fault, and a RefusedError for a state written by a newer version. */
export function resourcesIn(text: string, source: string): StackResource[] {
  // An export made with --show-secrets holds secrets in clear, so no error quotes it.
  const documents = documentsIn(text, source, "the output of `pulumi stack export`", false);
  return documents.flatMap((document) => {
    const { deployment } = checkDocument(exported, document, `${source}: `, false);
    return (deployment.resources ?? []).flatMap(resourceOf);
  });
}

function resourceOf(entry: z.output<typeof resource>): StackResource[] {
  const { urn, id, inputs = {}, outputs = inputs, external = false } = entry;
  const kind = KINDS.get(resourceOfType(typeIn(urn)));
  // A resource that awaits its deletion is no longer the program's.
  if (kind === undefined || id === undefined || entry.delete === true) return [];
  const values = unpacked(fromRecorded(outputs, []));
  const names = secretNamesIn(values, inputs);
  const { secrets: _values, ...publicValues } = withoutSecrets(values) as Properties;
  const secrets = Object.fromEntries(names.map((name) => [name, ""]));
  return [
    {
      kind,
      id,
      stack: stackOf(urn) ?? "",
      name: nameIn(urn),
      isRead: external,
      state: { ...publicValues, ...(names.length === 0 ? {} : { secrets }) },
      hidden: hiddenBy(["secrets", ...[{ inputs }, { inputs: outputs }].flatMap(secretPathsOf)]),
    },
  ];
}

/** The names of the program's secrets, whose generations are recorded in clear. */
function secretNamesIn({ secretGenerations }: Properties, { secrets }: Properties): string[] {
  if (isProperties(secretGenerations)) return Object.keys(secretGenerations);
  return isProperties(secrets) && !isMarked(secrets) ? Object.keys(secrets) : [];
}

/** Drops secrets from the value. A list with a secret goes entirely, because lists are compared whole. */
function withoutSecrets(value: unknown): unknown {
  if (isMarked(value)) return undefined;
  if (Array.isArray(value)) return holdsMark(value) ? undefined : value;
  if (!isProperties(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function holdsMark(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isMarked(value) || Object.values(value).some(holdsMark);
}
