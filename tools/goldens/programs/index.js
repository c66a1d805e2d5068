// The program of every recorded plan. SCENARIO chooses the program's resources. ROUND chooses the program's version:
// 0 before the planned changes, 1 with them.
const scenario = require(`./${process.env.SCENARIO}`);

module.exports = scenario(Number(process.env.ROUND));
