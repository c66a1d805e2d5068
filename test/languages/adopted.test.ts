/** Runs `pulumi import` on the file that the command `adopt` writes. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { adopt, workFolder } from "../support/adopt/command";
import { hostileAccount } from "../support/adopt/hostileAccount";
import { ProjectStack } from "../support/examples/projectStack";
import { hosting, WITH_BUILD } from "../support/languages/hosts";

const PLUGIN = path.join(__dirname, "..", "..", "dist", "plugin");
/** Makes a folder that looks as if npm had installed the package in it. */
function installed(): string {
  const folder = path.join(workFolder(), "infra");
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  symlinkSync(PLUGIN, path.join(folder, "node_modules", ".bin"));
  return folder;
}

test(
  "pulumi import brings every resource of the import file into the state, and sends only GETs",
  async () => {
    const emulator = await hostileAccount();
    const folder = installed();
    const environment = hosting("yaml");
    const { code } = await adopt(emulator, folder, ["--out", ".", "--format", "import-file"], environment);
    expect(code).toBe(0);
    // `pulumi import` writes the program for an import file, so the README beside the file does not mention a program.
    const readme = readFileSync(path.join(folder, "README.md"), "utf8");
    expect(readme).not.toMatch(/--check|Listeners|Left out/);
    writeFileSync(
      path.join(folder, "Pulumi.yaml"),
      "name: imported\nruntime: yaml\nplugins:\n  providers:\n    - name: deployment-control\n      path: node_modules/.bin\n",
    );
    const stack = await ProjectStack.of(folder, {
      ...environment,
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    });
    await stack.run("import", "--file", "import.json", "--yes", "--skip-preview", "--generate-code=false");
    const types = (await stack.recorded())
      .map(({ type }) => type)
      .filter((type) => type.startsWith("deployment-control:"));
    expect(types.sort()).toEqual([
      "deployment-control:index:Deployment",
      "deployment-control:index:Deployment",
      "deployment-control:index:Listener",
    ]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
  WITH_BUILD,
);
