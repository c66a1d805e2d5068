// Jest's configuration for the tests that run after each edit: `npm run test:unit`. This configuration leaves out tests
// that start the real engine, the command or a browser, and shortens tests with random cases.
const path = require("node:path");
const whole = require("../../jest.config.js");

const SLOW = [
  "engine",
  "faults",
  "agreement",
  "examples",
  "sdk/cli",
  "sdk/report/show/markdown.rendered",
  "sdk/report/show/html.pages",
].map((place) => `<rootDir>/test/${place}[/.]`);

/** @type {import("jest").Config} */
module.exports = {
  ...whole,
  rootDir: path.join(__dirname, "..", ".."),
  testPathIgnorePatterns: [...whole.testPathIgnorePatterns, ...SLOW],
  moduleNameMapper: { "^fast-check$": "<rootDir>/tools/test/briefProperties.cjs" },
};
