// Replaces fast-check. A property has the same random cases in every run, so that no change fails by chance.
// `PROPERTY_SEED` selects other cases. Only the part `unit` has new cases in every run. The part `unit` and a
// short run have a tenth of the cases. This file loads the real module by its path, because the module's name
// resolves to this file.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

const isUnit = process.env.TEST_PART === "unit";
const hasFewer = isUnit || process.env.TEST_PART === "short";
const USUAL_RUNS = 100;

const fewer = ({ numRuns = USUAL_RUNS, ...others } = {}) => ({ ...others, numRuns: Math.ceil(numRuns / 10) });
const assert = (property, parameters) => fc.assert(property, fewer(parameters));
/** Reduces only samples whose size is a number. Samples inside a case, such as a stack's updates, pass an object. */
const sample = (arbitrary, parameters) =>
  fc.sample(arbitrary, typeof parameters === "number" ? fewer({ numRuns: parameters }) : parameters);

if (!isUnit) fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
module.exports = hasFewer ? { ...fc, assert, sample } : fc;
