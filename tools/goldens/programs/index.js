// The program of every recorded plan. SCENARIO chooses the program's resources. ROUND chooses the
// version of its source.
const scenario = require(`./${process.env.SCENARIO}`);

module.exports = scenario(Number(process.env.ROUND));
