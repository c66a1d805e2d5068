const { fromImage, image, scale } = require("./declaring");

module.exports = (round) => {
  fromImage("chat", { ...image("chat", `1.${round}.0`), ...scale(1 + round) });
};
