// Declares what declared.json says: `{"$secret": value}` is marked secret.
const pulumi = require("@pulumi/pulumi");
const resources = require("pulumi-deployment-control");

function revived(value) {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return pulumi.secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revived(member)]));
}

for (const { kind, name, args } of require("./declared.json"))
  module.exports[name] = pulumi.output(new resources[kind](name, revived(args)));
