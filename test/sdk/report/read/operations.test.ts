import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { OPERATIONS } from "../../../../sdk/report/read/operations";

/** The version of the Pulumi CLI whose operations the report knows. */
const OPERATIONS_OF = "3.250.0";

/** The source of the engine. Go keeps the source in its module cache if Go has built the CLI. */
const { GOMODCACHE, GOPATH } = process.env;
const modules = GOMODCACHE ?? path.join(GOPATH ?? path.join(homedir(), "go"), "pkg", "mod");
const source = path.join(
  modules,
  `github.com/pulumi/pulumi/pkg/v3@v${OPERATIONS_OF}/resource/deploy/step.go`,
);

(existsSync(source) ? test : test.skip)(
  `the table has exactly the operations of the engine's source (${source})`,
  () => {
    const constants = readFileSync(source, "utf8").matchAll(/^\tOp\w+\s+display\.StepOp = "([^"]+)"/gm);
    expect(Object.keys(OPERATIONS).sort()).toEqual([...constants].map(([, op]) => op).sort());
  },
);

test("the table matches the CLI with which the tests run", () => {
  const toolchain = readFileSync(path.resolve("tools/toolchain/pulumi.mjs"), "utf8");
  expect(/pulumiVersion = "([^"]+)"/.exec(toolchain)?.[1]).toBe(OPERATIONS_OF);
});
