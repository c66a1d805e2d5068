const swc = {
  swcrc: false,
  jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  module: { type: "commonjs" },
  sourceMaps: "inline",
};

// Tests that take long and need additional toolchains: `npm run test:plugin`. A short part of them always runs.
const ofPluginAlone = ["<rootDir>/test/languages/", "<rootDir>/test/engine/plugin/(?!lifeCycles\\.)"];
// `npm run test:faults`.
const ofFaultsAlone = [
  "<rootDir>/test/faults/plugin/",
  "<rootDir>/test/faults/(fullDisk|keptJournal|leftOvers|moving|recover|verified)\\.",
];

// Each run of the CLI costs seconds, so only these engine suites always run; `npm run test:engine` runs the others.
const ofEveryRun = "lifeCycles|adopt|lookups|options|read|secrets|verified|wayBack";
const ofEngineAlone = [
  `<rootDir>/test/engine/(?!plugin/|(${ofEveryRun})\\.)`,
  "<rootDir>/test/examples/(guides|start)\\.",
];

// Tests that install the packed package with several versions of Pulumi's SDK: `npm run test:installed`.
const ofInstalledAlone = ["<rootDir>/test/release/installed\\."];

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testPathIgnorePatterns: [
    "/node_modules/",
    "<rootDir>/dist/",
    "<rootDir>/.cache/",
    ...(process.env.DEPLOYMENT_CONTROL_PLUGIN === "whole" ? [] : ofPluginAlone),
    ...(process.env.DEPLOYMENT_CONTROL_INSTALLED === "whole" ? [] : ofInstalledAlone),
    ...(process.env.DEPLOYMENT_CONTROL_FAULTS === "whole" ? [] : ofFaultsAlone),
    ...(process.env.DEPLOYMENT_CONTROL_ENGINE === "whole" ? [] : ofEngineAlone),
  ],
  // Only their package.json files matter here: jest reports two packages with the same name as a collision.
  modulePathIgnorePatterns: ["<rootDir>/.cache/", "<rootDir>/examples/[^/]+/node_modules/"],
  moduleNameMapper: { "^fast-check$": "<rootDir>/tools/test/sameProperties.cjs" },
  transform: { "\\.ts$": ["@swc/jest", swc] },
  cacheDirectory: "<rootDir>/.cache/jest",
  // A test that runs a real `pulumi up` takes seconds, and on a busy machine many seconds.
  testTimeout: 120_000,
  testSequencer: "<rootDir>/tools/test/sequencer.cjs",
  maxWorkers: 2,
};
