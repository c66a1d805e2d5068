// Orders the suites. Suites that run Pulumi take up to minutes, which jest does not know in a new checkout.
// They run first, so that short suites can keep every worker busy at the end.
const Sequencer = require("@jest/test-sequencer").default;

const runsPulumi = ({ path }) => /[\\/]test[\\/](examples|engine|faults|languages)[\\/]/.test(path);

module.exports = class extends Sequencer {
  sort(suites) {
    const sorted = super.sort(suites);
    return [...sorted.filter(runsPulumi), ...sorted.filter((suite) => !runsPulumi(suite))];
  }
};
