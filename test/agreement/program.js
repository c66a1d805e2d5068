// Declares the resources in declared.json. `{"$secret": value}` is marked secret. `{"$unknown": value}` is known only
// at the apply. `{"$from": [role, output]}` is an output of the slot's resource with this role; with `as`, the value of
// `as` replaces the output, and is unknown until the output is known.
const pulumi = require("@pulumi/pulumi");
// The program runs two folders below the project's root.
const { generatedClass } = require("../../../test/support/engine/generatedClass");
const isPlugin = process.env.FORM === "plugin";
const FORMS = { dynamic: require("pulumi-deployment-control"), plugin: pluginClasses() };
const { Deployment, Listener, Rollout } = isPlugin ? FORMS.plugin : FORMS.dynamic;

function pluginClasses() {
  return Object.fromEntries(
    ["Deployment", "Listener", "Rollout"].map((name) => [name, generatedClass(name)]),
  );
}

const { round, roles, slots } = require("./declared.json");

class Component extends pulumi.ComponentResource {
  constructor(name, _args, options) {
    super("agreement:index:Group", name, {}, options);
    this.registerOutputs({});
  }
}

const read = (name, { id }, options) =>
  isPlugin ? new Deployment(name, {}, { ...options, id }) : Deployment.get(name, id, options);

/** Waits for the slot's deployments. The plugin takes the deployments as a map with arbitrary keys. */
function rollOut(name, { main, next }, options) {
  const deployments = [main, next].filter((each) => each !== undefined);
  const members = deployments.map((each) => [each.__name, { id: each.id, revisionKey: each.revisionKey }]);
  return new Rollout(name, { deployments: isPlugin ? Object.fromEntries(members) : deployments }, options);
}

class Provider extends pulumi.ProviderResource {
  constructor(name, args) {
    super("deployment-control", name, args);
  }
}

const CLASSES = { Provider, Deployment, Listener, Component, Stash: pulumi.Stash };
// Each round creates a new `Stash`, so its id is unknown until the apply.
let fresh;
function later(value) {
  fresh ??= new pulumi.Stash(`fresh-${round}`, { input: round });
  return fresh.id.apply(() => value);
}

function resolved(value, resources) {
  if (Array.isArray(value)) return value.map((each) => resolved(each, resources));
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return pulumi.secret(value.$secret);
  if ("$env" in value) return process.env[value.$env];
  if ("$unknown" in value) return later(value.$unknown);
  if ("$from" in value) {
    const [role, output] = value.$from;
    return resources[role][output].apply((outputValue) => ("as" in value ? value.as : outputValue));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolved(member, resources)]),
  );
}

function optionsOf(
  { provider, deletedWith, replaceWith, parent, aliases, transformations, ...plain },
  resources,
) {
  return {
    ...plain,
    ...(provider && { provider: resources[provider] }),
    ...(deletedWith && { deletedWith: resources[deletedWith] }),
    ...(replaceWith && { replaceWith: [resources[replaceWith]] }),
    ...(parent && { parent: resources[parent] }),
    ...(aliases && { aliases: aliases.map((alias) => aliasOf(alias)) }),
    ...(transformations && {
      transformations: transformations.map((each) => transformation(each, resources)),
    }),
  };
}

function aliasOf({ parent, ...alias }) {
  return parent === undefined ? alias : { ...alias, parent: parent ?? pulumi.rootStackResource };
}

function transformation({ of, options = {}, args = {} }, resources) {
  return ({ name, props, opts }) => {
    if (name !== of) return undefined;
    const changed = Object.entries(args).reduce(
      (all, [place, value]) => withValue(all, place.split("."), resolved(value, resources)),
      props,
    );
    return { props: changed, opts: pulumi.mergeOptions(opts, optionsOf(options, resources)) };
  };
}

function withValue(value, [name, ...rest], member) {
  // The plugin's classes take the secrets only as one complete map.
  if (pulumi.Output.isInstance(value))
    return value.apply((plainValue) => withValue(plainValue, [name, ...rest], member));
  const own = value?.[name];
  return { ...value, [name]: rest.length === 0 ? member : withValue(own, rest, member) };
}

for (const slot of slots) {
  const resources = {};
  for (const role of roles)
    for (const each of slot[role]?.onStack ?? []) {
      pulumi.runtime.registerStackTransformation(transformation(each, resources));
    }
  for (const role of roles) {
    if (slot[role] === undefined) continue;
    const { kind, name, args, options, form } = slot[role];
    const [inputs, allOptions] = [resolved(args, resources), optionsOf(options, resources)];
    if (kind === "Get") resources[role] = read(name, inputs, allOptions);
    else if (kind === "Rollout") resources[role] = rollOut(name, resources, allOptions);
    else resources[role] = new (FORMS[form]?.[kind] ?? CLASSES[kind])(name, inputs, allOptions);
  }
}
