const swc = {
  swcrc: false,
  jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  module: { type: "commonjs" },
  sourceMaps: "inline",
};

// `npm test -- --part PART` sets TEST_PART. Without it, only what a short run has is left; "named" leaves nothing out.
const { FORM, TEST_PART = "short" } = process.env;
const isUnit = TEST_PART === "unit";
const has = (part) => [part, "named", "all"].includes(TEST_PART);
const unless = (isIn, ...suites) => (isIn ? [] : suites.map((suite) => `<rootDir>/test/${suite}`));

const common = {
  rootDir: __dirname,
  // Only their package.json files matter here: jest reports two packages with the same name as a collision.
  modulePathIgnorePatterns: ["<rootDir>/.cache/", "<rootDir>/examples/[^/]+/node_modules/"],
  moduleNameMapper: { "^fast-check$": "<rootDir>/tools/test/properties.cjs" },
  transform: { "\\.ts$": ["@swc/jest", swc] },
  cacheDirectory: "<rootDir>/.cache/jest",
};

// All tests but the plugin's own; each program declares the package's dynamic resources.
const dynamicForm = {
  ...common,
  displayName: "dynamic",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testPathIgnorePatterns: [
    "/node_modules/",
    "<rootDir>/test/((engine|faults)/plugin|languages)/",
    // Each run of the CLI costs seconds, so a short run has only these engine suites.
    ...unless(has("engine"), "engine/(?!(lifeCycles|adopt)\\.)", "examples/(guides|policyPack|start)\\."),
    ...unless(
      has("faults"),
      "faults/(checkpointsOff|keptJournal|leftOvers|moving|recover|recoveries|secretOrders|twoStacks|undone)\\.",
    ),
    ...unless(has("agreement"), "agreement/roads\\."),
    ...unless(has("installed"), "release/installed\\."),
    // These start the real engine, the command or a browser.
    ...unless(
      !isUnit,
      "(engine|faults|agreement|examples|sdk/cli)/",
      "sdk/report/render/(markdown\\.rendered|html\\.pages)\\.",
    ),
  ],
};

// The suites that run in both forms.
const ENGINE = [
  ...["adopt", "afterFailure", "applied", "badConfiguration", "badService", "compared"],
  ...["connections", "environment", "errorHooks", "fleet", "keepers", "lifeCycles"],
  ...["manyStacks", "planned", "replacedByEngine", "secrets", "smokeTest"],
  ...["verified", "wayBack"],
];
const FAULTS = [
  ...["checkpointsOff", "everyCanary", "keptJournal", "kill", "recover", "recoveries"],
  ...["secretOrders", "undone"],
];

// The plugin's own tests, and the suites of both forms; each program declares the plugin's resources. `FORM=plugin`
// runs any named suite in this form.
const pluginForm = {
  ...common,
  displayName: "plugin",
  setupFiles: ["<rootDir>/tools/test/pluginForm.cjs"],
  testMatch:
    FORM === "plugin"
      ? ["<rootDir>/test/{engine,faults,languages,agreement}/**/*.test.ts"]
      : [
          `<rootDir>/test/engine/{plugin/*,${ENGINE}}.test.ts`,
          `<rootDir>/test/faults/{plugin/*,${FAULTS}}.test.ts`,
          "<rootDir>/test/languages/*.test.ts",
        ],
  testPathIgnorePatterns: [
    "/node_modules/",
    ...unless(has("plugin"), "engine/(?!lifeCycles\\.)", "languages/"),
    // A short run also kills a creation and an update in this form.
    ...unless(has("faults"), "faults/(?!kill\\.)"),
  ],
};

const forms = { dynamic: [dynamicForm], plugin: [pluginForm] };

/** @type {import("jest").Config} */
module.exports = {
  projects: isUnit ? [dynamicForm] : (forms[FORM] ?? [dynamicForm, pluginForm]),
  // A test that runs a real `pulumi up` takes seconds, and on a busy machine many seconds.
  testTimeout: 120_000,
  testSequencer: "<rootDir>/tools/test/sequencer.cjs",
  maxWorkers: 2,
};
