const { fromImage, image, scale } = require("./declaring");

// Round 0 uses one name; round 2 another, and the old one's deletion fails; then round 1 changes two deployments.
module.exports = (round) => {
  const named = (name, more) =>
    fromImage(name, { name: round === 0 ? `first-${name}` : `second-${name}`, ...more });
  named("revised", image("revised", `1.${round === 1 ? 1 : 0}.0`));
  named("scaled", scale(round === 1 ? 2 : 1));
  named("stays");
};
