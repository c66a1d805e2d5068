const { fromImage, image, scale } = require("./declaring");

module.exports = (round) => {
  fromImage("research", scale(1 + round));
  fromImage("chat", { ...image("chat", `1.${round}.0`), newRevisions: "forbid" });
};
