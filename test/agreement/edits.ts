/** Generates updates of a slot. An update may edit arguments, options and the shape of the program at the same time. */
import * as fc from "fast-check";
import { isProperties, type Properties } from "../../provider/schema/value";
import { isPlugin } from "../support/engine/form";
import { forcingEdit, optionEdit, unforced } from "./options";
import { importEdit, shapeEdit } from "./shapes";
import {
  changed,
  type Edit,
  edited,
  hasListener,
  hasProvider,
  isFromImage,
  type Role,
  type Slot,
} from "./slots";
import { type ArgumentEdit, fieldEdit, type ProfileName, settled, withValue, word } from "./values";

interface Place {
  readonly index: number;
  readonly profile: ProfileName;
  /** The only fields to edit. If undefined, every field, option and resource may be edited. */
  readonly among?: readonly string[] | undefined;
}

/** Generates the edits that one update makes to a slot; some updates have no edits. */
export function updateOf(place: Place): fc.Arbitrary<Edit> {
  const fields = fc.array(argumentEdit(place), { minLength: 1, maxLength: 3 });
  const few = fc.array(optionEdit, { minLength: 1, maxLength: 2 });
  const all =
    place.among === undefined
      ? fc.oneof(
          { weight: 4, arbitrary: fields },
          { weight: 7, arbitrary: mixed(place) },
          { weight: 2, arbitrary: few },
          { weight: 3, arbitrary: fc.tuple(forcingEdit, argumentEdit(place)) },
          { weight: 3, arbitrary: fc.tuple(shapeEdit(place.index)) },
          { weight: isPlugin ? 2 : 0, arbitrary: imported(place) },
          { weight: hasListener(place.index) ? 6 : 0, arbitrary: fc.tuple(listenerEdit(place.index)) },
          { weight: 1, arbitrary: fc.constant<Edit[]>([]) },
        )
      : fields;
  const withProvider = fc
    .tuple(all, fc.option(providerEdit, { freq: 2 }))
    .map(([edits, last]) => (last === null ? edits : [...edits, last]));
  const edits = place.among === undefined && hasProvider(place.index) ? withProvider : all;
  return edits.map((each) => (slot) => each.reduce((next, edit) => edit(next), atRest(slot)));
}

/** Generates an import with the engine's option `import`, which dynamic resources do not support. */
const imported = (place: Place): fc.Arbitrary<Edit[]> =>
  fc
    .tuple(importEdit(place.index), fc.array(argumentEdit(place), { maxLength: 2 }))
    .map(([first, others]) => [first, ...others]);

/** Generates the options that a slot has before its first update. */
export function beginningOf({ among }: Place): fc.Arbitrary<Edit> {
  const options = fc.array(optionEdit, { maxLength: among === undefined ? 2 : 0 });
  return options.map((edits) => (slot) => edits.reduce((each, edit) => edit(each), slot));
}

/**
 * The slot without the parts that only the previous update needed: aliases, imports, forced replacements and unknown
 * values.
 */
export function atRest(slot: Slot): Slot {
  const resources = Object.entries(slot).map(([role, { options, ...declared }]) => {
    const { aliases: _aliases, import: _import, ...lasting } = options;
    return [role, unforced({ ...settled(declared), options: lasting })];
  });
  return Object.fromEntries(resources);
}

/** Generates one update that sets an option and makes a change that the option may affect. */
function mixed(place: Place): fc.Arbitrary<Edit[]> {
  const decisive = fc.oneof(renaming(place.index), shapeEdit(place.index), listenerEdit(place.index));
  return fc
    .tuple(fc.array(argumentEdit(place), { maxLength: 2 }), fc.option(optionEdit), decisive)
    .map(([edits, option, other]) => [...edits, ...(option === null ? [] : [option]), other]);
}

const role = fc.constantFrom<Role>("main", "main", "next");

function argumentEdit({ index, profile, among }: Place): fc.Arbitrary<Edit> {
  const field = fieldEdit(isFromImage(index), among);
  if (among !== undefined) return field.map((edit) => withArguments("main", edit));
  const any = fc.oneof({ weight: 9, arbitrary: field }, { weight: 1, arbitrary: policyEdit(profile) });
  const plain = fc.tuple(role, any).map(([of, edit]) => withArguments(of, edit));
  return fc.oneof(
    { weight: 12, arbitrary: plain },
    { weight: 2, arbitrary: fedEdit },
    { weight: 3, arbitrary: moveEdit },
  );
}

const withArguments =
  (of: Role, edit: ArgumentEdit): Edit =>
  (slot) =>
    edited(slot, of, (declared) => ({ ...declared, args: edit(declared.args) }));

/**
 * Moves a variable between `environment` and `secrets`, sometimes with a new value. In `environment`, a value that
 * starts with `canary-` is marked as a secret, because no output may show that value.
 */
const moveEdit: fc.Arbitrary<Edit> = fc
  .tuple(role, fc.constantFrom("KEY", "TOKEN", "LEVEL", "PORT"), fc.option(word, { freq: 3 }))
  .map(([of, name, other]) =>
    withArguments(of, (args) => {
      const [environment, secrets] = [args.environment, args.secrets].map((each) =>
        isProperties(each) ? each : {},
      ) as [Properties, Properties];
      const isOpen = Object.hasOwn(environment, name);
      const { [name]: value, ...remaining } = isOpen ? environment : secrets;
      const isSecret = isProperties(value) && "$secret" in value;
      const plain = other ?? (isSecret ? value.$secret : value);
      if (typeof plain !== "string") return args;
      return isOpen
        ? { ...args, environment: remaining, secrets: { ...secrets, [name]: plain } }
        : {
            ...args,
            secrets: remaining,
            environment: { ...environment, [name]: plain.startsWith("canary-") ? { $secret: plain } : plain },
          };
    }),
  );

function policyEdit(profile: ProfileName): fc.Arbitrary<ArgumentEdit> {
  const policies = profile === "langsmith" ? ["delete", "retain", "fail"] : ["retain", "fail"];
  return fc.oneof(
    fc.constantFrom(undefined, ...policies).map((value) => set("onDestroy", value)),
    fc.constantFrom(undefined, "allow", "forbid").map((value) => set("newRevisions", value)),
    // A deployment without `sourceRevisionConfig` cannot run; one of the profiles refuses to create it.
    fc.constant(set("sourceRevisionConfig", undefined)),
  );
}

const set =
  (place: string, value: unknown): ArgumentEdit =>
  (args) =>
    withValue(args, place.split("."), value);

/** If the slot has `main` and `next`, sets an argument of `next` to an output of `main`. */
const fedEdit: fc.Arbitrary<Edit> = fc
  .constantFrom<readonly [place: string, value: unknown]>(
    ["revisionTriggers", { of: { $from: ["main", "revisionKey"] } }],
    ["revisionTriggers", { of: { $from: ["main", "latestRevisionId"] } }],
    ["sourceConfig.installCommand", { $from: ["main", "latestRevisionId"] }],
    ["sourceConfig.installCommand", { $from: ["main", "updatedAt"], as: "constant" }],
    ["secrets.FED", { $secret: { $from: ["main", "id"], as: "canary-fed" } }],
    ["name", { $from: ["main", "latestRevisionId"], as: "the same" }],
  )
  .map(([place, value]) => (slot) => {
    const ownName = slot.next?.args.name;
    const fed = place === "name" ? { ...(value as object), as: ownName } : value;
    return slot.main === undefined
      ? slot
      : changed(slot, "next", (each) => ({ ...each, args: set(place, fed)(each.args) }));
  });

const renaming = (index: number): fc.Arbitrary<Edit> =>
  fc
    .tuple(role, word, fc.boolean())
    .map(([of, name, isUnknown]) =>
      withArguments(
        of,
        set("name", isUnknown ? { $unknown: `agents-${index}-${name}` } : `agents-${index}-${name}`),
      ),
    );

/**
 * Changes a setting of the slot's explicit provider. If the new setting is unknown until the apply, the update forces
 * no replacement.
 */
const providerEdit: fc.Arbitrary<Edit> = fc
  .tuple(fc.integer({ min: 10, max: 60 }), fc.boolean())
  .map(([seconds, isUnknown]) => (slot) => {
    const calm = Object.entries(slot).map(([of, each]) => [of, isUnknown ? unforced(each) : each]);
    return changed(Object.fromEntries(calm), "provider", (each) => ({
      ...each,
      args: set("requestTimeoutSeconds", isUnknown ? { $unknown: seconds } : seconds)(each.args),
    }));
  });

const listenerEdit = (index: number): fc.Arbitrary<Edit> =>
  fc
    .tuple(
      word,
      fc.constantFrom("computeId", "computeId", "computeConfig.k8sNamespaces", "onDestroy"),
      fc.boolean(),
    )
    .map(([name, place, deletes]): Edit => {
      const values = {
        computeId: `cluster-${index}-${deletes ? "taken-" : ""}${name}`,
        "computeConfig.k8sNamespaces": ["a", name],
        onDestroy: deletes ? "delete" : "retain",
      };
      const edit = set(place, values[place as keyof typeof values]);
      return (slot) => changed(slot, "listener", (each) => ({ ...each, args: edit(each.args) }));
    });
