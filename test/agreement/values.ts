/** Generates values for the fields of a deployment. */
import * as fc from "fast-check";
import { isProperties, type Properties } from "../../provider/schema/value";
import { isPlugin } from "../support/engine/form";

export type ProfileName = "contract" | "langsmith";

export const word = fc.stringMatching(/^[a-z][a-z0-9-]{2,8}$/);
const odd = fc.constantFrom("a b", "é", "[secret]x", "a;b (c)", "x -> y", '"quoted"', "null", "0");
const text = fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: odd });
const gone = fc.constant(undefined);
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: gone });
/** A secret value that no output may show. */
const canary = fc.stringMatching(/^canary-[a-z0-9]{8}$/);
const hidden = (value: fc.Arbitrary<unknown>) => value.map((each) => ({ $secret: each }));
const later = (value: fc.Arbitrary<unknown>) => value.map((each) => ({ $unknown: each }));
const cores = fc.integer({ min: 1, max: 80 }).map((tenths) => tenths / 10);

const container = fc.record({
  name: word,
  image: word,
  args: fc.array(fc.oneof(word, hidden(canary)), { minLength: 1, maxLength: 2 }),
  env: fc.array(fc.record({ name: fc.constantFrom("A", "B"), value: hidden(canary) }), {
    minLength: 1,
    maxLength: 2,
  }),
});

const resourceSpec = {
  "sourceConfig.resourceSpec.minScale": fc.integer({ min: 1, max: 5 }),
  "sourceConfig.resourceSpec.maxScale": sometimes(fc.integer({ min: 5, max: 9 })),
  "sourceConfig.resourceSpec.cpu": sometimes(cores),
  "sourceConfig.resourceSpec.memoryMb": sometimes(fc.integer({ min: 1, max: 4096 })),
  "sourceConfig.resourceSpec.labels": sometimes(
    fc.dictionary(word, text, { maxKeys: 3, noNullPrototype: true }),
  ),
  "sourceConfig.resourceSpec.sidecars": sometimes(fc.array(container, { minLength: 1, maxLength: 2 })),
};
/** A name for the dynamic form only: in the plugin form, Pulumi's SDK fails if a map has a member `toString`. */
const UNTEXTUAL = isPlugin ? [] : ["toString"];

const anywhere = {
  "sourceConfig.installCommand": sometimes(text),
  "sourceConfig.buildCommand": sometimes(text),
  secrets: sometimes(
    fc.dictionary(
      fc.constantFrom("KEY", "TOKEN", "constructor"),
      fc.oneof(
        { weight: 3, arbitrary: canary },
        { weight: 1, arbitrary: text },
        { weight: 1, arbitrary: later(canary) },
      ),
      { minKeys: 1, noNullPrototype: true },
    ),
  ),
  environment: sometimes(
    fc.dictionary(
      fc.constantFrom("LEVEL", "PORT", ...UNTEXTUAL),
      fc.oneof(
        { weight: 3, arbitrary: text },
        { weight: 1, arbitrary: hidden(canary) },
        { weight: 1, arbitrary: later(word) },
      ),
      { minKeys: 1, noNullPrototype: true },
    ),
  ),
  revisionTriggers: sometimes(fc.dictionary(word, word, { minKeys: 1, maxKeys: 2, noNullPrototype: true })),
  "rollout.timeoutSeconds": fc.integer({ min: 60, max: 900 }),
};

type Fields = { readonly [path: string]: fc.Arbitrary<unknown> };

const fromImage: Fields = {
  ...anywhere,
  ...resourceSpec,
  "sourceRevisionConfig.imageUri": fc.oneof(word, hidden(canary), later(word)),
  "sourceConfig.customUrl": sometimes(fc.oneof(word, hidden(canary))),
  "sourceConfig.listenerId": fc.uuid({ version: 4 }),
  "sourceConfig.listenerConfig.k8sNamespace": word,
  secretReferences: sometimes(
    fc.dictionary(fc.constantFrom("REFERENCE", "OTHER"), fc.record({ secretName: word, secretKey: word }), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  ),
};
const fromRepository: Fields = {
  ...anywhere,
  "sourceRevisionConfig.repoRef": fc.oneof(word, later(word), hidden(canary)),
  "sourceRevisionConfig.graphConfigPath": word,
  "sourceConfig.integrationId": fc.uuid({ version: 4 }),
  "sourceConfig.repoUrl": word.map((name) => `https://repohost.example/${name}`),
  "sourceConfig.deploymentType": fc.constantFrom("dev", "prod"),
  "sourceConfig.buildOnPush": fc.boolean(),
};

/** Returns a deployment's arguments after a change. */
export type ArgumentEdit = (args: Properties) => Properties;

/** Generates a change to one field's value. */
export function fieldEdit(isFromImage: boolean, among?: readonly string[]): fc.Arbitrary<ArgumentEdit> {
  const fields = Object.entries(isFromImage ? fromImage : fromRepository);
  const chosen = fields.filter(([path]) => among === undefined || among.includes(path));
  return fc.oneof(
    ...chosen.map(([path, value]) =>
      value.map(
        (each): ArgumentEdit =>
          (args) =>
            withValue(args, path.split("."), each),
      ),
    ),
  );
}

export function withValue(args: Properties, [name, ...rest]: readonly string[], value: unknown): Properties {
  const current = args[name as string];
  const member = rest.length === 0 ? value : withValue(isProperties(current) ? current : {}, rest, value);
  return { ...args, [name as string]: member };
}

/** The value after the apply, which replaces each unknown part with a real value. */
export function settled<T>(value: T): T {
  if (Array.isArray(value)) return value.map(settled) as T;
  if (!isProperties(value)) return value;
  if ("$unknown" in value) return value.$unknown as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)])) as T;
}
