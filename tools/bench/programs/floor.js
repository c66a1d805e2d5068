// The floor: trivial dynamic resources with the same inputs and outputs as ours, and provider code of the same length.
const pulumi = require("@pulumi/pulumi");
const { argumentsOf, count, places, round } = require("./arguments");

const text = `exports.handler = () => require(${JSON.stringify(require.resolve("./trivial"))}).trivial;`;

for (let index = 0; index < count; index += 1) {
  const name = `bench-${index}`;
  const inputs = {
    ...places,
    ...argumentsOf(index, round),
    secrets: { KEY: pulumi.secret("a-secret-of-the-benchmark") },
    revisionGeneration: 1,
    secretGenerations: { KEY: 1 },
    __provider: text,
    __urn: `urn:pulumi:bench::bench::pulumi-nodejs:dynamic/deployment-control:Deployment::${name}`,
  };
  const type = "pulumi-nodejs:dynamic/deployment-control:Deployment";
  new pulumi.CustomResource(type, name, inputs, { additionalSecretOutputs: ["secrets"] });
}
