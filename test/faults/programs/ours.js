// What the environment says is declared, with this provider.
const { Deployment } = require("pulumi-deployment-control");

for (const [name, args] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM))) new Deployment(name, args);
