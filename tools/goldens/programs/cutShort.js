const { fromImage, image } = require("./declaring");

// The first deployment fails, so the engine does not reach the second, which depends on it.
module.exports = (round) => {
  const first = fromImage("first", image("first", `1.${round}.0`));
  fromImage("second", image("second", `1.${round}.0`), { dependsOn: first });
};
