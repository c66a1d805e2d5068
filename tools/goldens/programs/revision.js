const { fromImage, image } = require("./declaring");

module.exports = (round) => {
  fromImage("chat", image("chat", `1.${round}.0`));
  fromImage("research");
};
