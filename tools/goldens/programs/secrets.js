const { fromImage } = require("./declaring");

const BEFORE = {
  MODEL_API_KEY: "golden secret one",
  OLD_TOKEN: "golden secret two",
  STAYS: "golden secret three",
};
const AFTER = {
  MODEL_API_KEY: "golden secret four",
  EXTRA: "golden secret five",
  STAYS: "golden secret three",
};

module.exports = (round) => {
  fromImage("chat", { secrets: round === 0 ? BEFORE : AFTER });
  fromImage("adds", { secrets: round === 0 ? undefined : { FIRST: "golden secret six" } });
  fromImage("drops", { secrets: round === 0 ? { LAST: "golden secret seven" } : undefined });
};
