// Orders the suites. Suites that run Pulumi can take minutes, but in a new checkout jest has no record of their times.
// These suites run first, so that short suites can keep every worker busy at the end.
const Sequencer = require("@jest/test-sequencer").default;

const runsPulumi = ({ path }) => /[\\/]test[\\/](examples|engine|faults|languages)[\\/]/.test(path);

module.exports = class extends Sequencer {
  sort(suites) {
    const sorted = super.sort(suites);
    return [...sorted.filter(runsPulumi), ...sorted.filter((suite) => !runsPulumi(suite))];
  }
};
