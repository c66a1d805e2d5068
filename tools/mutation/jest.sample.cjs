// Jest's configuration for a sample of mutants (see `sample.mjs`): the unit tests of the mutated copy of the project.
const unit = require("../test/jest.unit.cjs");
const whole = require("../../jest.config.js");

/** @type {import("jest").Config} */
module.exports = {
  ...unit,
  // Generates the same cases each time; otherwise chance would decide whether a mutant is found.
  moduleNameMapper: whole.moduleNameMapper,
  setupFilesAfterEnv: ["<rootDir>/tools/mutation/covered.cjs"],
  testSequencer: "<rootDir>/tools/mutation/inOrder.cjs",
  testTimeout: 30_000,
  watchman: false,
};
