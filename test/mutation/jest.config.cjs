// Only the tests in one process that concern what is mutated: `npm run test:mutation`.
const path = require("node:path");
const whole = require("../../jest.config.js");

const folders = ["client", "fields"];
const files = ["provider/plan", "provider/generations", "provider/request", "provider/configuration", "provider/journal"];

/** @type {import("jest").Config} */
module.exports = {
  ...whole,
  rootDir: path.join(__dirname, "..", ".."),
  testMatch: [
    ...folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    ...files.map((file) => `<rootDir>/test/${file}*.test.ts`),
  ],
  // It reads the text of functions, which a mutation tool rewrites.
  testPathIgnorePatterns: [...whole.testPathIgnorePatterns, "/test/client/connection.test.ts"],
};
