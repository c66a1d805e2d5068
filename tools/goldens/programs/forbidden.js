const { fromImage, image, scale } = require("./declaring");

module.exports = (round) => {
  const research = fromImage("research", scale(1 + round));
  // The engine stops at the first refusal. Because of `dependsOn`, the engine plans `research` first.
  fromImage("chat", { ...image("chat", `1.${round}.0`), newRevisions: "forbid" }, { dependsOn: research });
};
