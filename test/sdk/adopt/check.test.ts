import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { backendIn, previewOf } from "../../../sdk/adopt/check";
import { onUnix } from "../../support/systems";

onUnix(
  "the command that installs the program's packages runs no scripts, and does not get the service's settings",
  () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-check-"));
    try {
      writeFileSync(path.join(folder, "Pulumi.yaml"), "name: adopted\nruntime: nodejs\n");
      const npm = path.join(folder, "npm");
      writeFileSync(npm, `#!/bin/sh\n{ echo "$@"; env; } > ${folder}/log\nexit 1\n`);
      chmodSync(npm, 0o755);
      const environment = {
        ...process.env,
        PATH: `${folder}${path.delimiter}${process.env.PATH}`,
        DEPLOYMENT_CONTROL_API_KEY: "key-canary",
        DEPLOYMENT_CONTROL_HEADERS: '{"X-Route": "route-canary"}',
      };
      expect(() => previewOf(folder, environment)).toThrow("npm install");
      const log = readFileSync(path.join(folder, "log"), "utf8");
      expect(log).toMatch(/^install .*--ignore-scripts/);
      expect(log).not.toMatch(/canary|DEPLOYMENT_CONTROL_/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("the backend's address names the folder in the form that Pulumi reads, even if the folder is on a Windows drive", () => {
  expect(backendIn("/a folder/ü", false)).toBe("file:///a%20folder/%C3%BC");
  expect(backendIn("C:\\a folder\\ü", true)).toBe("file://C:/a%20folder/%C3%BC");
});
