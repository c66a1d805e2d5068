// FORM chooses between dynamic resources and the plugin's resources. The path below is right because this file runs
// from a folder three levels below the project's root.
const isPlugin = process.env.FORM === "plugin";
const { generatedClass } = require("../../../test/support/engine/generatedClass");
const ours = require("pulumi-deployment-control");
const classOf = (name) => (isPlugin ? generatedClass(name) : ours[name]);
const Deployment = classOf("Deployment");

const LISTENER = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const INTEGRATION = "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10";

/** A deployment from an image; `args` override its arguments. */
exports.fromImage = (name, args = {}, options) =>
  new Deployment(
    name,
    {
      name: `agents-${name}`,
      source: "external_docker",
      sourceConfig: { listenerId: LISTENER, resourceSpec: { minScale: 1, maxScale: 4 } },
      sourceRevisionConfig: { imageUri: `registry.example.com/${name}:1.0.0` },
      ...args,
    },
    options,
  );

/** A deployment built from a repository. */
exports.fromRepository = (name, repoRef, args = {}) =>
  new Deployment(name, {
    name: `agents-${name}`,
    source: "repohost",
    sourceConfig: {
      integrationId: INTEGRATION,
      repoUrl: `https://repohost.example/acme/${name}`,
      deploymentType: "prod",
      buildOnPush: false,
    },
    sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" },
    ...args,
  });

/** The plugin's Rollout takes a map of deployments, whose keys may be any names. */
exports.members = (deployments) =>
  isPlugin
    ? Object.fromEntries(
        Object.entries(deployments).map(([name, { id, revisionKey }]) => [name, { id, revisionKey }]),
      )
    : Object.values(deployments);

exports.classOf = classOf;
exports.image = (name, tag) => ({
  sourceRevisionConfig: { imageUri: `registry.example.com/${name}:${tag}` },
});
exports.scale = (minScale) => ({
  sourceConfig: { listenerId: LISTENER, resourceSpec: { minScale, maxScale: 4 } },
});
exports.LISTENER = LISTENER;
