const { fromImage, image } = require("./declaring");

// The first fails, so the second, which depends on it, is not reached.
module.exports = (round) => {
  const first = fromImage("first", image("first", `1.${round}.0`));
  fromImage("second", image("second", `1.${round}.0`), { dependsOn: first });
};
