// Declares the same deployments as the program in YAML.
const { argumentsOf } = require("./arguments");

exports.declared = (count, round) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `bench-${index}`,
      {
        type: "deployment-control:Deployment",
        properties: {
          ...argumentsOf(index, round),
          secrets: { KEY: { "fn::secret": "a-secret-of-the-benchmark" } },
        },
      },
    ]),
  );
