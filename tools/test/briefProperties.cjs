// Replaces fast-check in the fast run: a property or a sample has a tenth of its random cases; a whole run has all of
// them. This requires the real module by its path, because its name resolves to this file.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

const USUAL_RUNS = 100;
const PART = 1 / 10;

function assert(property, { numRuns = USUAL_RUNS, ...parameters } = {}) {
  return fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * PART) });
}

function sample(arbitrary, parameters = {}) {
  const { numRuns = USUAL_RUNS, ...others } =
    typeof parameters === "number" ? { numRuns: parameters } : parameters;
  return fc.sample(arbitrary, { ...others, numRuns: Math.ceil(numRuns * PART) });
}

module.exports = { ...fc, assert, sample };
