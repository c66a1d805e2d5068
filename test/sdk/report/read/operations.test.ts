import { readFileSync } from "node:fs";
import path from "node:path";

test("the report's table of operations is for the version of the CLI with which the tests run", () => {
  const toolchain = readFileSync(path.resolve("tools/toolchain/pulumi.mjs"), "utf8");
  expect(/pulumiVersion = "([^"]+)"/.exec(toolchain)?.[1]).toBe("3.250.0");
});
