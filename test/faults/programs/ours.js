// Declares the resources that the environment lists, with this provider in the form that it names.
const { Deployment } =
  process.env.FORM === "plugin"
    ? // The folder in which it runs is two below the project's.
      { Deployment: require("../../../test/support/engine/generatedClass").generatedClass("Deployment") }
    : require("pulumi-deployment-control");

for (const [name, args] of Object.entries(JSON.parse(process.env.FAULT_PROGRAM))) new Deployment(name, args);
