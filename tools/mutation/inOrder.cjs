// Runs test files in the order in which they were named. The file that most likely finds the mutant comes first.
const Sequencer = require("@jest/test-sequencer").default;

const order = process.env.MUTATION_TESTS?.split(",");

module.exports = class extends Sequencer {
  sort(tests) {
    if (order === undefined) return super.sort(tests);
    return [...tests].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
  }
};
