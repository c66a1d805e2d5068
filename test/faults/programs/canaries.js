// Declares the resources in declared.json, in the form that FORM names. A value `{"$secret": value}` becomes a secret.
const pulumi = require("@pulumi/pulumi");
const classOf =
  process.env.FORM === "plugin"
    ? // The program runs two folders below the project's root.
      require("../../../test/support/engine/generatedClass").generatedClass
    : (kind) => require("pulumi-deployment-control")[kind];

function revived(value) {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return pulumi.secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revived(member)]));
}

for (const { kind, name, args } of require("./declared.json"))
  module.exports[name] = pulumi.output(new (classOf(kind))(name, revived(args)));
