// Declares the deployments with the simplest possible provider: create is POST, update is PATCH, delete is DELETE.
const pulumi = require("@pulumi/pulumi");

const text = `exports.handler = () => require(${JSON.stringify(require.resolve("./naiveProvider"))}).naive;`;
const type = "pulumi-nodejs:dynamic/deployment-control:Deployment";

for (const [name, args] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM)))
  new pulumi.CustomResource(type, name, { ...args, __provider: text });
