import * as fc from "fast-check";
import { faultsOf } from "../../../provider/deployment/arguments";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { faultsIn, hiddenBy } from "../../../provider/schema/check";
import { deploymentRows } from "../../../provider/schema/deployment";
import { normalizedRows, type Properties, UNKNOWN } from "../../../provider/schema/value";
import { allKeys, deploymentArguments } from "../../support/arbitraryArguments";

const validArguments = { name: "chat", source: "repohost" };
const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;

function faults(args: Properties, secretPaths: readonly string[] = []): Record<string, string> {
  const faults = faultsIn(
    deploymentRows,
    { ...validArguments, ...args },
    hiddenBy(["secrets", ...secretPaths]),
  );
  return Object.fromEntries(faults.map(({ path, words }) => [path.join("."), String(words)]));
}

const inSpec = (resourceSpec: Properties) => ({ sourceConfig: { resourceSpec } });

test.each<[string, Properties, Record<string, string>]>([
  [
    "a missing argument",
    { source: undefined },
    { source: expect.stringMatching(/^is missing; allowed: "repohost", "external_docker", /) },
  ],
  ["an empty name", { name: " " }, { name: 'got " " (a string); allowed: a string that is not empty' }],
  [
    "a number for a string",
    { sourceConfig: { repoUrl: 7 } },
    { "sourceConfig.repoUrl": "got 7 (a number); allowed: a string" },
  ],
  [
    "an empty path of the graph configuration",
    { sourceRevisionConfig: { graphConfigPath: "" } },
    {
      "sourceRevisionConfig.graphConfigPath": 'got "" (a string); allowed: a string that is not empty',
    },
  ],
  [
    "a bad choice",
    { newRevisions: "deny" },
    { newRevisions: 'got "deny" (a string); allowed: "allow", "forbid"' },
  ],
  [
    "a bad UUID",
    { sourceConfig: { listenerId: "7" } },
    { "sourceConfig.listenerId": expect.stringMatching(/^got "7" \(a string\); allowed: a UUID such as /) },
  ],
  [
    "a string that is neither a choice nor an id",
    { adopt: "mine" },
    { adopt: 'got "mine" (a string); allowed: true, false, "identical" or an id (a UUID)' },
  ],
  [
    "NaN or infinity",
    inSpec({ minScale: Number.NaN, cpu: Number.POSITIVE_INFINITY }),
    {
      "sourceConfig.resourceSpec.minScale": "got NaN (a number); allowed: an integer of at least 0",
      "sourceConfig.resourceSpec.cpu": "got Infinity (a number); allowed: a number of at least 0",
    },
  ],
  [
    "an integer and a boolean in quotes",
    { sourceConfig: { buildOnPush: "false", resourceSpec: { minScale: "2", maxScale: "2.5" } } },
    {
      "sourceConfig.buildOnPush": 'got "false" (a string); allowed: true or false',
      "sourceConfig.resourceSpec.minScale": 'got "2" (a string); allowed: an integer of at least 0',
      "sourceConfig.resourceSpec.maxScale": 'got "2.5" (a string); allowed: an integer of at least 0',
    },
  ],
  [
    "an object for a list",
    inSpec({ volumes: { name: "a" } }),
    {
      "sourceConfig.resourceSpec.volumes": expect.stringMatching(
        /^got \{"name":"a"\} \(an object\); allowed: a list, each element an object with the fields \{name, /,
      ),
    },
  ],
  [
    "a number in a list of strings",
    inSpec({ sidecars: [{ command: ["run", 3] }] }),
    { "sourceConfig.resourceSpec.sidecars.0.command.1": "got 3 (a number); allowed: a string" },
  ],
  [
    "a list for an object of any kind",
    inSpec({ volumes: [{ emptyDir: [] }] }),
    { "sourceConfig.resourceSpec.volumes.0.emptyDir": "got [] (a list); allowed: an object" },
  ],
  [
    "a misspelled choice",
    { onDestroy: "delet" },
    { onDestroy: 'got "delet" (a string); allowed: "retain", "delete", "fail". Did you mean "delete"?' },
  ],
  ["an entry without a name", { secrets: { "": "x" } }, { secrets: "has an entry without a name" }],
])("%s is a fault that names the path, the value and the allowed values", (_, args, expected) => {
  expect(faults(args)).toEqual(expected);
});

test("an object of any kind may have undefined members", () => {
  expect(faults(inSpec({ volumes: [{ emptyDir: { sizeLimit: undefined } }] }))).toEqual({});
});

test.each<[string, Properties, Record<string, string>]>([
  ["at the top", { sourceconfig: {} }, { sourceconfig: "is not an argument; did you mean sourceConfig?" }],
  [
    "within a secret reference",
    { secretReferences: { A: { secretName: "n", secretKey: "k", secretkey: "k" } } },
    { "secretReferences.A.secretkey": "is not an argument; did you mean secretKey?" },
  ],
  [
    "that resembles no argument",
    { rollout: { patience: 1 } },
    { "rollout.patience": "is not an argument; allowed: wait, timeoutSeconds, onFailure, verify" },
  ],
  [
    "that resembles none of many arguments",
    inSpec({ replicas: 1 }),
    {
      "sourceConfig.resourceSpec.replicas":
        "is not an argument; allowed: minScale, maxScale, cpu, cpuLimit, memoryMb, memoryLimitMb, queueMinScale, …",
    },
  ],
])("an unknown name %s is a fault whose message helps to correct the name", (_, args, expected) => {
  expect(faults(args)).toEqual(expected);
});

test("no validation error shows the value of a secret, whatever the secret's path", () => {
  const words = (args: Properties, secretPaths?: string[]) => Object.values(faults(args, secretPaths)).join();
  const secretList = ["hunter2"];
  for (const secrets of [{ A: secretList }, { A: { B: "hunter2" } }, "hunter2", secretList]) {
    expect(words({ secrets })).toMatch(/secret/);
    expect(words({ secrets })).not.toContain("hunter2");
  }
  const markedPaths = ["sourceConfig.customUrl"];
  expect(words({ sourceConfig: { customUrl: secretList } }, markedPaths)).not.toContain("hunter2");
  expect(words({ sourceConfig: secretList }, markedPaths)).not.toContain("hunter2");
  expect(words({ sourceConfig: { customUrl: secretList } })).toContain("hunter2");
});

test("the error about a bad value in a list does not show the value if the program marked its path as secret", () => {
  const spec = inSpec({ sidecars: [{}, { env: [{ name: "PIN", value: 4815162342 }] }] });
  const place = "sourceConfig.resourceSpec.sidecars.1.env.0.value";
  const markedPaths = ["sourceConfig.resourceSpec.sidecars.env.value"];
  expect(faults(spec, markedPaths)[place]).toBe("got a number (secret, so not shown); allowed: a string");
  expect(faults(spec)[place]).toBe("got 4815162342 (a number); allowed: a string");
  const longSpec = inSpec({
    sidecars: [...Array(10).fill({ name: "a" }), { env: [{ name: "PIN", value: 4 }] }],
  });
  expect(faults(longSpec, markedPaths)[place.replace("1", "10")]).toContain("secret, so not shown");
});

test("rules between fields are checked only after each field is valid", () => {
  const words = (args: Properties, profile = contract) =>
    faultsOf({ ...validArguments, ...args }, profile, () => false, "update").map(
      (fault) => `${fault.path.join(".")}: ${fault.words}`,
    );
  const references = { secretReferences: { A: { secretName: "s", secretKey: "k" } } };
  expect(words(references)).toEqual([
    expect.stringMatching(/^secretReferences: is only for source "external_docker"/),
  ]);
  expect(words({ ...references, source: "external_docker" })).toEqual([]);
  expect(words({ ...references, source: UNKNOWN })).toEqual([]);
  expect(words({ revisionTriggers: { a: "1" } })).toEqual([
    expect.stringMatching(/^revisionTriggers: force a new/),
  ]);
  expect(words({ revisionTriggers: { a: "1" }, sourceRevisionConfig: { repoRef: UNKNOWN } })).toEqual([]);
  expect(words({ onDestroy: "delete" })).toEqual([expect.stringMatching(/^onDestroy: .*has no DELETE/)]);
  expect(words({ onDestroy: "delete" }, langsmith)).toEqual([]);
});

const imageFaults = (imageUri: string) => Object.values(faults({ sourceRevisionConfig: { imageUri } }));

test.each([
  ...["", " ", "chat 1", "chat:1\n", " chat:1", "https://registry.example/chat:1", "docker://chat:1"],
  ...[
    "registry.example/Team/chat:1",
    "Chat:1",
    "registry.example/chat:",
    "registry.example/chat@",
    "/chat:1",
  ],
  ...["registry.example//chat:1", "registry.example/chat:a b", "registry.example/chat:1:2", "chat@sha256"],
])("the image %j is refused, because no registry could have it", (imageUri) => {
  expect(imageFaults(imageUri)).toEqual([
    `got ${JSON.stringify(imageUri)} (a string); allowed: an image such as registry.example/name:tag, without https://, blanks or capitals in the name`,
  ]);
});

test.each([
  ...["chat", "chat:1", "team/chat", "registry.example/chat:1.0.0-RC_1", "localhost:5000/chat:1"],
  ...[
    "Registry.Example:443/team/sub-team/chat__x:Latest",
    "[::1]:5000/chat:1",
    `chat@sha256:${"a".repeat(64)}`,
  ],
  ...[`registry.example/chat:1@sha256:${"0".repeat(64)}`, "123.dkr.ecr.eu-west-1.amazonaws.com/chat:1"],
  ...["europe-docker.pkg.dev/project-1/agents/chat:v1", "ghcr.io/acme/chat.agent:sha-1a2b3c"],
])("the image %j is accepted", (imageUri) => {
  expect(imageFaults(imageUri)).toEqual([]);
});

test("a value that is unknown until the apply passes every check", () => {
  fc.assert(
    fc.property(deploymentArguments(allKeys), fc.nat(), (args, at) => {
      const set = normalizedRows(deploymentRows, args);
      const places = placesIn(set);
      const place = places[at % places.length] as string[];
      expect(faultsIn(deploymentRows, withUnknownAt(set, place), () => false)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

function placesIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...placesIn(member).map((place) => [name, ...place]),
  ]);
}

function withUnknownAt(value: unknown, [name, ...innerNames]: readonly string[]): Properties {
  if (name === undefined) return UNKNOWN as unknown as Properties;
  if (Array.isArray(value)) {
    return value.map((element, index) =>
      String(index) === name ? withUnknownAt(element, innerNames) : element,
    ) as unknown as Properties;
  }
  const members = Object.entries(value as Properties);
  return Object.fromEntries(
    members.map(([each, member]) => [each, each === name ? withUnknownAt(member, innerNames) : member]),
  );
}
