const { fromRepository } = require("./declaring");

const SHA = "0123456789abcdef0123456789abcdef01234567";

module.exports = (round) => {
  fromRepository("branch", round === 0 ? "main" : "release");
  fromRepository("tag", round === 0 ? "refs/tags/v1" : "refs/tags/v2");
  fromRepository("commit", round === 0 ? "main" : SHA);
  fromRepository("stays", "main");
  fromRepository("forced", "main", { revisionTriggers: { build: String(round) } });
};
