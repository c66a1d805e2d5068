// `FOLDER=provider/client npm test -- --part mutation`: changes the code of one folder of provider/ in many
// small ways. Runs the tests under the same path for each change. At the end, lists the changes that no test
// notices. Stryker's own flags may follow the command. `--incremental` measures only the code that has
// changed since the last run. `--mutate FILE` measures only one file.
import whole from "../../jest.config.js";

const { FOLDER = "provider/journal" } = process.env;
// Stryker runs the tests in a copy of the repository. The copy must be jest's root.
const { rootDir: _repository, ...project } = whole.projects[0];

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: [`${FOLDER}/**/*.ts`],
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: {
    projectType: "custom",
    enableFindRelatedTests: false,
    config: {
      ...project,
      testMatch: [`<rootDir>/test/${FOLDER}/**/*.test.ts`],
      // Jest searches its roots again for each mutant, so fewer roots save time.
      roots: ["<rootDir>/provider", "<rootDir>/test"],
      testTimeout: 5_000,
    },
  },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // No step of this run checks types, so there is no check to turn off.
  disableTypeChecks: false,
  // The tests do not need these folders. Stryker copies and reads all other folders.
  ignorePatterns: ["dist", ".cache", "docs", "examples", "test/engine", "test/faults", "test/goldens"],
  tempDirName: ".cache/mutation",
  incrementalFile: ".cache/mutation.json",
  // If a mutant's tests never end, Stryker stops them after about this time.
  timeoutMS: 3_000,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
