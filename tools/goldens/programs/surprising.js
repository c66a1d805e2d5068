const { fromImage } = require("./declaring");

// The service makes a revision for a change that the contract applies in place, and none for secrets.
module.exports = (round) => {
  fromImage("built", { sourceConfig: { buildCommand: `make ${round}` } });
  fromImage("keyed", { secrets: { MODEL_API_KEY: `golden secret ${round}` } });
};
