/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "tools/mutation/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  // Nothing checks types here.
  disableTypeChecks: false,
  // The tests do not need these folders; the tool copies and reads all others.
  ignorePatterns: [
    "dist",
    ".cache",
    "docs",
    "examples",
    "test/engine",
    "test/examples",
    "test/faults",
    "test/goldens",
    "test/sdk/cli",
    "test/sdk/report",
    "tools/bench",
    "tools/build",
    "tools/docs",
    "tools/goldens",
    "tools/release",
    "tools/start",
    "tools/toolchain",
  ],
  tempDirName: process.env.MUTATION_SANDBOX,
  // The time that a mutant costs if it never ends.
  timeoutMS: 3_000,
  timeoutFactor: 2,
  reporters: ["json"],
  jsonReporter: { fileName: process.env.MUTATION_REPORT },
  allowConsoleColors: false,
  cleanTempDir: "always",
};
