/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "test/mutation/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  // What the tests need not, since the tool copies and reads the rest.
  ignorePatterns: [
    "dist",
    ".cache",
    "docs",
    "examples",
    "test/engine",
    "test/bench",
    "test/examples",
    "test/faults",
    "test/report",
    "test/toolchain",
  ],
  tempDirName: ".cache/stryker",
  // A mutant that never ends costs this long.
  timeoutMS: 3_000,
  timeoutFactor: 2,
  reporters: ["clear-text", "json"],
  jsonReporter: { fileName: process.env.MUTATION_REPORT },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
  cleanTempDir: "always",
};
