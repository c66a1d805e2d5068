const { Deployment } = require("pulumi-deployment-control");
const { argumentsOf, count, round } = require("./arguments");

for (let index = 0; index < count; index += 1) {
  new Deployment(`bench-${index}`, {
    ...argumentsOf(index, round),
    secrets: { KEY: "a-secret-of-the-benchmark" },
  });
}
