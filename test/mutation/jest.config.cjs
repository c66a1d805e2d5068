// Only the tests in one process that concern what is mutated: `npm run test:mutation`.
const path = require("node:path");
const whole = require("../../jest.config.js");

const tests = [
  "client/*",
  "fields/properties",
  "fields/refresh",
  "provider/plan",
  "provider/generations",
  "provider/request",
  "provider/journal",
];

/** @type {import("jest").Config} */
module.exports = {
  ...whole,
  rootDir: path.join(__dirname, "..", ".."),
  // MUTATED=client,plan takes the tests of those names alone, for a run over part of the files.
  testMatch: tests
    .filter((test) => (process.env.MUTATED ?? test).split(",").some((name) => test.includes(name)))
    .map((test) => `<rootDir>/test/${test}.test.ts`),
  // It reads the sources, which the tool rewrites.
  testPathIgnorePatterns: [...whole.testPathIgnorePatterns, "/test/client/connection.test.ts"],
};
