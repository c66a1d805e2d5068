// Records the mutants that a test file ran, while the file was loaded or in its tests.
const { createHash } = require("node:crypto");
const { writeFileSync } = require("node:fs");
const path = require("node:path");

const folder = process.env.MUTATION_COVERAGE;
if (folder !== undefined)
  afterAll(() => {
    const { testPath } = expect.getState();
    const mutants = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
    const name = createHash("sha256").update(testPath).digest("hex");
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ testPath, mutants }));
  });
