const { fromImage, image } = require("./declaring");

module.exports = (round) => {
  if (round === 0) fromImage("before");
  else fromImage("chat", { name: "agents-before", ...image("before", "1.1.0"), adopt: true });
};
