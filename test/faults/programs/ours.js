// Declares the deployments in FAULT_PROGRAM with this provider, in the form that FORM names.
const { Deployment } =
  process.env.FORM === "plugin"
    ? // The program runs two folders below the project's root.
      { Deployment: require("../../../test/support/engine/generatedClass").generatedClass("Deployment") }
    : require("pulumi-deployment-control");

for (const [name, args] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM))) new Deployment(name, args);
