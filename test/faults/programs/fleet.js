// What the environment says is declared: a resource is its type and its arguments. A Rollout waits for all deployments.
const resources = require("pulumi-deployment-control");

const deployments = [];
for (const [name, [type, args]] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM))) {
  if (type === "Rollout") new resources.Rollout(name, { ...args, deployments });
  else {
    const declared = new resources[type](name, args);
    if (type === "Deployment") deployments.push(declared);
  }
}
