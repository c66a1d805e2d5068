const { fromImage, image, scale } = require("./declaring");

// The rounds run in the order 0, 2, 1. Round 0 declares the first names. Round 2 declares other names, but the deletions
// of the old deployments fail. Round 1 changes two deployments.
module.exports = (round) => {
  const named = (name, more) =>
    fromImage(name, { name: round === 0 ? `first-${name}` : `second-${name}`, ...more });
  named("revised", image("revised", `1.${round === 1 ? 1 : 0}.0`));
  named("scaled", scale(round === 1 ? 2 : 1));
  named("stays");
};
