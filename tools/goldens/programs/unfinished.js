const { fromImage, image } = require("./declaring");

module.exports = (round) => {
  fromImage("chat", { ...image("chat", `1.${round === 0 ? 0 : 1}.0`), rollout: { timeoutSeconds: 1 } });
};
