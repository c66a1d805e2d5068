// Runs the tests of the one mutated file; see `run.mjs`.
const path = require("node:path");
const whole = require("../../jest.config.js");

const tests = (process.env.MUTATION_TESTS ?? "").split(",");

/** @type {import("jest").Config} */
module.exports = {
  ...whole,
  rootDir: path.join(__dirname, "..", ".."),
  testMatch: tests.map((test) => `<rootDir>/${test}`),
  // Jest searches its roots again for each mutant, so there are few roots.
  roots: ["<rootDir>/provider", "<rootDir>/test"],
  watchman: false,
  testTimeout: 5_000,
};
