/** What `pulumi stack export` prints: the deployments and listeners of a stack, without any value that is secret. */
import { z } from "zod";
import { type Hidden, hiddenBy } from "../../../provider/fields/check";
import { resourceOfType } from "../../../provider/fields/naming";
import { nameIn, stackOf, typeIn } from "../../../provider/fields/urn";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { isMarked } from "../../../provider/host/marks";
import { fromRecorded } from "../../../provider/host/schema";
import { checked, documentsIn } from "../../report/read/documents";
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
  /** What is recorded, without secret values; secrets by their names. */
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

/** Throws an Error with the place of the fault, and a RefusedError for a state that a newer version has written. */
export function resourcesIn(text: string, source: string): StackResource[] {
  // Exported with --show-secrets it would hold them in clear: nothing of it is quoted.
  const documents = documentsIn(text, source, "the output of `pulumi stack export`", false);
  return documents.flatMap((document) => {
    const { deployment } = checked(exported, document, `${source}: `, false);
    return (deployment.resources ?? []).flatMap(resourceOf);
  });
}

function resourceOf(recorded: z.output<typeof resource>): StackResource[] {
  const { urn, id, inputs = {}, outputs = inputs, external = false } = recorded;
  const kind = KINDS.get(resourceOfType(typeIn(urn)));
  // What waits for its deletion is no longer the program's.
  if (kind === undefined || id === undefined || recorded.delete === true) return [];
  const values = unpacked(fromRecorded(outputs, []));
  const names = secretNamesIn(values, inputs);
  const { secrets: _values, ...others } = withoutSecrets(values) as Properties;
  const secrets = Object.fromEntries(names.map((name) => [name, ""]));
  return [
    {
      kind,
      id,
      stack: stackOf(urn) ?? "",
      name: nameIn(urn),
      isRead: external,
      state: { ...others, ...(names.length === 0 ? {} : { secrets }) },
      hidden: hiddenBy(["secrets", ...[{ inputs }, { inputs: outputs }].flatMap(secretPathsOf)]),
    },
  ];
}

/** Of the secrets that the program gives: their generations are recorded in clear. */
function secretNamesIn({ secretGenerations }: Properties, { secrets }: Properties): string[] {
  if (isProperties(secretGenerations)) return Object.keys(secretGenerations);
  return isProperties(secrets) && !isMarked(secrets) ? Object.keys(secrets) : [];
}

/** The value without what is secret in it. A list goes as a whole, since it is compared as one. */
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
