// Classes like those that code generation makes from the schema. They are for programs that use the plugin but no
// generated package.
const pulumi = require("@pulumi/pulumi");
const { resources } = require("../../../provider/schema.json");

/**
 * Marks each secret argument as a whole, gives each output a property, and adds an alias for the dynamic form's type.
 */
exports.generatedClass = (name) => {
  const type = `deployment-control:index:${name}`;
  const { inputProperties, properties, aliases } = resources[type];
  return class extends pulumi.CustomResource {
    constructor(resourceName, args, options) {
      const places = Object.keys({ ...inputProperties, ...properties }).map((each) => [each, undefined]);
      const markedArguments = Object.entries(args ?? {}).map(([key, value]) => [
        key,
        inputProperties[key]?.secret && value !== undefined ? pulumi.secret(value) : value,
      ]);
      super(
        type,
        resourceName,
        { ...Object.fromEntries(places), ...Object.fromEntries(markedArguments) },
        pulumi.mergeOptions(options, { aliases }),
      );
    }
  };
};
