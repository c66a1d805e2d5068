// Replaces fast-check. In a whole run, a property has the same random cases each time, so that a change never fails by
// chance; `PROPERTY_SEED` selects other cases. The part `unit` has a tenth of the cases, and always new ones. This
// requires the real module by its path, because its name resolves to this file.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

const isUnit = process.env.TEST_PART === "unit";
const USUAL_RUNS = 100;

const fewer = ({ numRuns = USUAL_RUNS, ...others } = {}) => ({ ...others, numRuns: Math.ceil(numRuns / 10) });
const assert = (property, parameters) => fc.assert(property, fewer(parameters));
const sample = (arbitrary, parameters) =>
  fc.sample(arbitrary, fewer(typeof parameters === "number" ? { numRuns: parameters } : parameters));

if (!isUnit) fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
module.exports = isUnit ? { ...fc, assert, sample } : fc;
