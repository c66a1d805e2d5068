// Declares the resources in FAULT_PROGRAM, each with a type and arguments, in the form that FORM names. A Rollout waits
// for all deployments.
const isPlugin = process.env.FORM === "plugin";
// The program runs two folders below the project's root.
const { generatedClass } = isPlugin ? require("../../../test/support/engine/generatedClass") : {};
const classOf = (type) => (isPlugin ? generatedClass(type) : require("pulumi-deployment-control")[type]);

const deployments = {};
const membersOf = (all) => (isPlugin ? all : Object.values(all));
for (const [name, [type, args]] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM))) {
  const Resource = classOf(type);
  if (type === "Rollout") new Resource(name, { ...args, deployments: membersOf(deployments) });
  else {
    const declared = new Resource(name, args);
    if (type === "Deployment")
      deployments[name] = isPlugin ? { id: declared.id, revisionKey: declared.revisionKey } : declared;
  }
}
