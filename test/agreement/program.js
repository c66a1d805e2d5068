// Declares what declared.json says. `{"$secret": value}` is marked secret, `{"$unknown": value}` known at the apply only.
const pulumi = require("@pulumi/pulumi");
const { Deployment } = require("pulumi-deployment-control");

const { round, deployments } = require("./declared.json");
let fresh;

// The id of a resource that each round has anew is not known before it is made.
function later(value) {
  fresh ??= new pulumi.Stash(`fresh-${round}`, { input: round });
  return fresh.id.apply(() => value);
}

function resolved(value) {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return pulumi.secret(value.$secret);
  if ("$unknown" in value) return later(value.$unknown);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
}

for (const [name, args] of Object.entries(deployments)) new Deployment(name, resolved(args));
