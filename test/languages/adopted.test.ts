/** Runs adopted projects in the plugin's languages, and the import file, with Pulumi's language hosts. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deploymentRows } from "../../provider/fields/deployment";
import type { Kind } from "../../provider/fields/kind";
import { pythonName } from "../../sdk/adopt/write/python";
import type { Emulator } from "../../sdk/emulator/index";
import { adopt, ran, workFolder } from "../support/adopt/command";
import { hostileAccount } from "../support/adopt/hostileAccount";
import { ProjectStack } from "../support/examples/projectStack";
import { hosting, type Variables, WITH_BUILD } from "../support/languages/hosts";
import { installedPackage } from "../support/languages/python";

const PLUGIN = path.join(__dirname, "..", "..", "dist", "plugin");
/** Makes a folder that looks as if npm had installed the package in it. */
function installed(): string {
  const folder = path.join(workFolder(), "infra");
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  symlinkSync(PLUGIN, path.join(folder, "node_modules", ".bin"));
  return folder;
}

const writes = (emulator: Emulator) => emulator.requests.filter(({ method }) => method !== "GET");

async function provesAndApplies(format: string, environment: Variables): Promise<void> {
  const emulator = await hostileAccount();
  const folder = installed();
  const written = await adopt(emulator, folder, ["--out", ".", "--format", format, "--check"], environment);
  expect(written).toEqual({ code: 0, errors: "", out: expect.stringMatching(/^2 adopted, 0 changes$/m) });
  const stack = await ProjectStack.of(folder, { ...environment, DEPLOYMENT_CONTROL_BASE_URL: emulator.url });
  expect(await stack.run("up", "--yes", "--skip-preview")).toContain("3 created");
  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(writes(emulator)).toEqual([]);
  expect(emulator.deployments().map(({ revisions }) => revisions.length)).toEqual([1, 1]);
}

test(
  "for an adopted project in YAML, neither the check nor the first up shows a change",
  () => provesAndApplies("yaml", hosting("yaml")),
  WITH_BUILD,
);

describe("python", () => {
  const python = installedPackage();
  const { testOfPython } = python;

  testOfPython(
    "for an adopted project in Python, neither the check nor the first up shows a change",
    () => provesAndApplies("python", python.environment),
    WITH_BUILD,
  );

  testOfPython("adopt gives every argument the name that it has in Pulumi's Python package", async () => {
    const program = `import inspect, json, pulumi_deployment_control as package
print(json.dumps({name: list(inspect.get_annotations(each)) for name, each in vars(package).items() if name.endswith("ArgsDict")}))`;
    const { out, errors } = await ran("python3", ["-c", program], python.folder, {
      ...process.env,
      ...python.environment,
    });
    expect(errors).toBe("");
    const pythonNames: Record<string, string[]> = JSON.parse(out);
    const missing: string[] = [];
    const look = (kind: Kind<unknown>, type: string): void => {
      if (kind.type === "list" || kind.type === "map") look(kind.of, type);
      if (kind.type !== "object" && kind.type !== "keyed") return;
      if (kind.type === "keyed" && kind.single) return;
      const names = Object.values(pythonNames).map((members) => members.join());
      const argumentNames = Object.keys(kind.rows).map(pythonName);
      if (!names.some((members) => argumentNames.every((name) => members.split(",").includes(name))))
        missing.push(`${type}: ${argumentNames}`);
      for (const [name, row] of Object.entries(kind.rows)) look(row.kind, `${type}.${name}`);
    };
    for (const [name, row] of Object.entries(deploymentRows)) look(row.kind, name);
    expect(Object.keys(pythonNames).length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });
});

test(
  "pulumi import takes every resource of the import file into the state, and only GETs are sent",
  async () => {
    const emulator = await hostileAccount();
    const folder = installed();
    const environment = hosting("yaml");
    const { code } = await adopt(emulator, folder, ["--out", ".", "--format", "import-file"], environment);
    expect(code).toBe(0);
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
    expect(writes(emulator)).toEqual([]);
  },
  WITH_BUILD,
);
