// Declares the same deployments with classes like those of the package that Pulumi generates from the plugin's schema.
const pulumi = require("@pulumi/pulumi");
const { argumentsOf, count, places, round } = require("./arguments");

for (let index = 0; index < count; index += 1) {
  const secrets = pulumi.secret({ KEY: "a-secret-of-the-benchmark" });
  const inputs = { ...places, revisionKey: undefined, ...argumentsOf(index, round), secrets };
  new pulumi.CustomResource("deployment-control:index:Deployment", `bench-${index}`, inputs, {
    additionalSecretOutputs: ["secrets"],
    aliases: [{ type: "pulumi-nodejs:dynamic/deployment-control:Deployment" }],
  });
}
