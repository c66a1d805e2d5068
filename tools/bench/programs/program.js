// Declares the benchmark's deployments. BENCH_PROGRAM chooses the classes: `floor` (trivial resources), `dynamic`
// (our classes) or `plugin` (classes like those that Pulumi generates from the plugin's schema).
const pulumi = require("@pulumi/pulumi");

const { BENCH_PROGRAM: kind, BENCH_COUNT: count, BENCH_ROUND: round } = process.env;
const DYNAMIC = "pulumi-nodejs:dynamic/deployment-control:Deployment";
const SECRET = "a-secret-of-the-benchmark";

const argumentsOf = (index) => ({
  name: `bench-${index}`,
  source: "external_docker",
  sourceConfig: {
    resourceSpec: {
      minScale: 1 + Number(round),
      maxScale: 4,
      cpu: 1,
      memoryMb: 2048,
      labels: { team: "bench", index: String(index) },
    },
  },
  sourceRevisionConfig: { imageUri: `registry.example/bench-${index}:1` },
  rollout: { wait: false },
});

// Each output needs a property, because a program can read a dynamic resource's output only through a property.
const outputs =
  "secretReferences revisionSource revisionTriggers newRevisions adopt onDestroy connection tenantId createdAt updatedAt " +
  "status latestRevisionId activeRevisionId imageVersion repoCommitSha url latestRevisionStatus rolloutState serviceUrl " +
  "revisionGeneration secretGenerations";
const places = Object.fromEntries(outputs.split(" ").map((output) => [output, undefined]));
const options = { additionalSecretOutputs: ["secrets"] };

const declare = {
  /** Trivial resources with the same inputs and outputs as ours, and provider code of the same length. */
  floor: (name, args) =>
    new pulumi.CustomResource(
      DYNAMIC,
      name,
      {
        ...places,
        ...args,
        secrets: { KEY: pulumi.secret(SECRET) },
        revisionGeneration: 1,
        secretGenerations: { KEY: 1 },
        __provider: `exports.handler = () => require(${JSON.stringify(require.resolve("./trivial"))}).trivial;`,
        __urn: `urn:pulumi:bench::bench::${DYNAMIC}::${name}`,
      },
      options,
    ),
  dynamic: (name, args) => {
    const { Deployment } = require("pulumi-deployment-control");
    return new Deployment(name, { ...args, secrets: { KEY: SECRET } });
  },
  plugin: (name, args) => {
    const inputs = { ...places, revisionKey: undefined, ...args, secrets: pulumi.secret({ KEY: SECRET }) };
    const aliases = [{ type: DYNAMIC }];
    return new pulumi.CustomResource("deployment-control:index:Deployment", name, inputs, {
      ...options,
      aliases,
    });
  },
};

for (let index = 0; index < Number(count); index += 1) declare[kind](`bench-${index}`, argumentsOf(index));
