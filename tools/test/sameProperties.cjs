// Replaces fast-check in a whole run: a property has the same random cases each time, so that a change never fails by
// chance. `PROPERTY_SEED` selects other cases; the fast run always has new cases. This requires the real module by its
// path, because its name resolves to this file.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
module.exports = fc;
