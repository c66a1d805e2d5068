// The floor of the plugin: the same program with a plugin that does nothing. This program adds the inputs that our
// plugin would add.
const pulumi = require("@pulumi/pulumi");
const { argumentsOf, count, places, round } = require("./arguments");

for (let index = 0; index < count; index += 1) {
  const inputs = {
    ...places,
    revisionKey: undefined,
    ...argumentsOf(index, round),
    secrets: pulumi.secret({ KEY: "a-secret-of-the-benchmark" }),
    revisionGeneration: 1,
    secretGenerations: { KEY: 1 },
  };
  new pulumi.CustomResource("deployment-control:index:Deployment", `bench-${index}`, inputs, {
    additionalSecretOutputs: ["secrets"],
    aliases: [{ type: "pulumi-nodejs:dynamic/deployment-control:Deployment" }],
  });
}
