// Runs test files in the order in which they were named, which starts with the likeliest to find the mutant.
const Sequencer = require("@jest/test-sequencer").default;

const order = process.env.MUTATION_TESTS?.split(",");

module.exports = class extends Sequencer {
  sort(tests) {
    if (order === undefined) return super.sort(tests);
    return [...tests].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
  }
};
