const { fromImage, image, scale } = require("./declaring");

module.exports = (round) => {
  const research = fromImage("research", scale(1 + round));
  // `chat` depends on `research`, because the engine stops at the first refusal.
  fromImage("chat", { ...image("chat", `1.${round}.0`), newRevisions: "forbid" }, { dependsOn: research });
};
