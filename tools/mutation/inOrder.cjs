// Test files in the order in which they were named: the likeliest to find the mutant first.
const Sequencer = require("@jest/test-sequencer").default;

const order = process.env.MUTATION_TESTS?.split(",");

module.exports = class extends Sequencer {
  sort(tests) {
    if (order === undefined) return super.sort(tests);
    return [...tests].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
  }
};
