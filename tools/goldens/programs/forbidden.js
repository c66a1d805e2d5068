const { fromImage, image, scale } = require("./declaring");

module.exports = (round) => {
  const research = fromImage("research", scale(1 + round));
  // After the other: the engine stops at the first that is refused.
  fromImage("chat", { ...image("chat", `1.${round}.0`), newRevisions: "forbid" }, { dependsOn: research });
};
