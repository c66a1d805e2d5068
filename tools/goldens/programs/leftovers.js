const { fromImage, image, scale } = require("./declaring");

// Round 0 declares the first name. Round 2 comes next and declares another name, but the deletion of the old deployment
// fails. Round 1, the last, changes two deployments.
module.exports = (round) => {
  const named = (name, more) =>
    fromImage(name, { name: round === 0 ? `first-${name}` : `second-${name}`, ...more });
  named("revised", image("revised", `1.${round === 1 ? 1 : 0}.0`));
  named("scaled", scale(round === 1 ? 2 : 1));
  named("stays");
};
