// The unit tests, for a sample of mutants: see `sample.mjs`. Their root is the copy of the project in which mutants stand.
const unit = require("../test/jest.unit.cjs");
const whole = require("../../jest.config.js");

/** @type {import("jest").Config} */
module.exports = {
  ...unit,
  // The same cases each time: else chance decides whether a mutant is found.
  moduleNameMapper: whole.moduleNameMapper,
  setupFilesAfterEnv: ["<rootDir>/tools/mutation/covered.cjs"],
  testSequencer: "<rootDir>/tools/mutation/inOrder.cjs",
  testTimeout: 30_000,
  watchman: false,
};
