// Stands for fast-check in the fast run: a property draws cases for a second at most. A whole run draws all of them.
// By its path: the name leads here.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

fc.configureGlobal({ interruptAfterTimeLimit: 1_000 });
module.exports = fc;
