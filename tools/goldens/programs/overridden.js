const { fromImage, scale } = require("./declaring");

module.exports = (round) => {
  fromImage("chat", scale(1 + round));
};
