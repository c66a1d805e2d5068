// The program of every recorded plan: SCENARIO chooses what it declares, ROUND the state of its source.
const scenario = require(`./${process.env.SCENARIO}`);

module.exports = scenario(Number(process.env.ROUND));
