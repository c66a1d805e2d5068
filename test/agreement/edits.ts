/** Generated updates: a deployment as people declare it, and edits of every kind of field, one or several at a time. */
import * as fc from "fast-check";
import { isProperties, type Properties } from "../../provider/fields/value";

export type ProfileName = "contract" | "langsmith";

/** Takes the arguments of a deployment to those of its next update. */
export type Edit = (args: Properties) => Properties;

const word = fc.stringMatching(/^[a-z][a-z0-9-]{2,8}$/);
const odd = fc.constantFrom("a b", "é", "[secret]x", "a;b (c)", "x -> y", '"quoted"', "null", "0");
const text = fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: odd });
const gone = fc.constant(undefined);
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: gone });
const cores = fc.integer({ min: 1, max: 80 }).map((tenths) => tenths / 10);

const resourceSpec = {
  "sourceConfig.resourceSpec.minScale": fc.integer({ min: 1, max: 5 }),
  "sourceConfig.resourceSpec.maxScale": sometimes(fc.integer({ min: 5, max: 9 })),
  "sourceConfig.resourceSpec.cpu": sometimes(cores),
  "sourceConfig.resourceSpec.memoryMb": sometimes(fc.integer({ min: 1, max: 4096 })),
  "sourceConfig.resourceSpec.labels": sometimes(
    fc.dictionary(word, text, { maxKeys: 3, noNullPrototype: true }),
  ),
};
const anywhere = {
  "sourceConfig.installCommand": sometimes(text),
  "sourceConfig.buildCommand": sometimes(text),
  secrets: sometimes(
    fc.dictionary(fc.constantFrom("KEY", "TOKEN", "constructor"), text, {
      minKeys: 1,
      noNullPrototype: true,
    }),
  ),
  revisionTriggers: sometimes(fc.dictionary(word, word, { minKeys: 1, maxKeys: 2, noNullPrototype: true })),
  "rollout.timeoutSeconds": fc.integer({ min: 60, max: 900 }),
};
const hidden = (value: fc.Arbitrary<unknown>) => value.map((each) => ({ $secret: each }));
const later = (value: fc.Arbitrary<unknown>) => value.map((each) => ({ $unknown: each }));

type Fields = { readonly [path: string]: fc.Arbitrary<unknown> };

const fromImage: Fields = {
  ...anywhere,
  ...resourceSpec,
  "sourceRevisionConfig.imageUri": fc.oneof(word, hidden(word), later(word)),
  "sourceConfig.customUrl": sometimes(fc.oneof(word, hidden(word))),
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
  "sourceRevisionConfig.repoRef": fc.oneof(word, later(word), hidden(word)),
  "sourceRevisionConfig.graphConfigPath": word,
  "sourceConfig.integrationId": fc.uuid({ version: 4 }),
  "sourceConfig.repoUrl": word.map((name) => `https://repohost.example/${name}`),
  "sourceConfig.deploymentType": fc.constantFrom("dev", "prod"),
  "sourceConfig.buildOnPush": fc.boolean(),
};

/** Arguments with which a deployment of that number starts. */
export function firstArguments(index: number): Properties {
  const common = { name: `agents-${index}`, secrets: { KEY: "first value", TOKEN: "second value" } };
  if (index % 2 === 0) {
    return {
      ...common,
      source: "external_docker",
      sourceConfig: { resourceSpec: { minScale: 1 } },
      sourceRevisionConfig: { imageUri: "first" },
    };
  }
  return {
    ...common,
    source: "repohost",
    sourceConfig: {
      integrationId: "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
      repoUrl: "https://repohost.example/a",
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
  };
}

/** The edits of one update of a deployment of that number: none now and then, a new name rarely. */
export function updateOf(index: number, among?: readonly string[]): fc.Arbitrary<Edit> {
  const fields = Object.entries(index % 2 === 0 ? fromImage : fromRepository);
  const chosen = fields.filter(([path]) => among === undefined || among.includes(path));
  const one = fc.oneof(
    ...chosen.map(([path, value]) =>
      value.map(
        (each): Edit =>
          (args) =>
            withValue(args, path.split("."), each),
      ),
    ),
  );
  const renamed = word.map(
    (name): Edit =>
      (args) => ({ ...args, name: `agents-${index}-${name}` }),
  );
  const edits = fc.array(one, { minLength: 1, maxLength: 3 });
  const all =
    among === undefined
      ? fc.oneof(
          { weight: 12, arbitrary: edits },
          { weight: 1, arbitrary: fc.tuple(renamed) },
          { weight: 1, arbitrary: fc.constant([]) },
        )
      : edits;
  return all.map(
    (list): Edit =>
      (args) =>
        list.reduce((edited: Properties, edit) => edit(edited), settled(args) as Properties),
  );
}

function withValue(args: Properties, [name, ...rest]: readonly string[], value: unknown): Properties {
  const own = args[name as string];
  const member = rest.length === 0 ? value : withValue(isProperties(own) ? own : {}, rest, value);
  return { ...args, [name as string]: member };
}

/** What was unknown at one update is known at the next. */
function settled(value: unknown): unknown {
  if (!isProperties(value)) return value;
  if ("$unknown" in value) return value.$unknown;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)]));
}
