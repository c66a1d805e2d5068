// Stands for fast-check in a whole run: the same cases each time, so that a change fails for what it did and not by chance.
// `PROPERTY_SEED` draws others, and the fast run draws new ones always. By its path: the name leads here.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
module.exports = fc;
