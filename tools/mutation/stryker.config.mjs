/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "tools/mutation/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  // Nothing checks types here.
  disableTypeChecks: false,
  // The tests do not need these; the tool copies and reads the rest.
  ignorePatterns: [
    "dist",
    ".cache",
    "docs",
    "examples",
    "test/engine",
    "test/bench",
    "test/examples",
    "test/faults",
    "test/goldens",
    "test/sdk/cli",
    "test/sdk/report",
    "test/toolchain",
  ],
  tempDirName: process.env.MUTATION_SANDBOX,
  // A mutant that never ends costs this long.
  timeoutMS: 3_000,
  timeoutFactor: 2,
  reporters: ["json"],
  jsonReporter: { fileName: process.env.MUTATION_REPORT },
  allowConsoleColors: false,
  cleanTempDir: "always",
};
