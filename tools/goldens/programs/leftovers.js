const { fromImage, image, scale } = require("./declaring");

// First under one name; then under another, where the old one's deletion fails; then changed or not beside what is left.
module.exports = (round) => {
  const named = (name, more) =>
    fromImage(name, { name: round === 0 ? `first-${name}` : `second-${name}`, ...more });
  named("revised", image("revised", `1.${round === 1 ? 1 : 0}.0`));
  named("scaled", scale(round === 1 ? 2 : 1));
  named("stays");
};
