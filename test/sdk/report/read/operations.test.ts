import { readFileSync } from "node:fs";
import path from "node:path";

test("the report's table of operations matches the CLI version that the tests use", () => {
  const toolchain = readFileSync(path.resolve("tools/toolchain/pulumi.mjs"), "utf8");
  expect(/pulumiVersion = "([^"]+)"/.exec(toolchain)?.[1]).toBe("3.250.0");
});
