const { fromImage, image, scale } = require("./declaring");

// Round 0 uses one name. Round 2 uses another name, and the deletion of the old deployment fails. Then round 1 changes
// two deployments.
module.exports = (round) => {
  const named = (name, more) =>
    fromImage(name, { name: round === 0 ? `first-${name}` : `second-${name}`, ...more });
  named("revised", image("revised", `1.${round === 1 ? 1 : 0}.0`));
  named("scaled", scale(round === 1 ? 2 : 1));
  named("stays");
};
