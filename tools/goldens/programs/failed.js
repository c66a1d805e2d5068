const { fromImage, image } = require("./declaring");

// When a deployment fails, the engine does not reach the deployments that depend on it.
module.exports = (round) => {
  const tagged = (name, args, options) =>
    fromImage(name, { ...image(name, `1.${round}.0`), ...args }, options);
  const first = tagged("first");
  const restored = tagged("restored", { rollout: { onFailure: "restore" } }, { dependsOn: first });
  tagged("second", {}, { dependsOn: restored });
};
