/** Makes projects from the templates, as a new user does: `pulumi new`, then an installation, then a preview. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { hosting, type Variables, WITH_BUILD } from "../support/languages/hosts";
import { installedPackage } from "../support/languages/python";
import { packedInto, run } from "../support/packedPackage";

const TEMPLATES = path.join(__dirname, "..", "..", "examples", "templates");
const work = mkdtempSync(path.join(os.tmpdir(), "deployment-control-templates-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** A new project in an empty folder. `options`: further options of `pulumi new`. */
function newProject(language: string, variables: Variables, ...options: readonly string[]) {
  const [folder, state] = ["project", "state"].map((name) => path.join(work, language, name)) as [
    string,
    string,
  ];
  for (const each of [folder, state]) mkdirSync(each, { recursive: true });
  const env = {
    ...process.env,
    ...variables,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    DEPLOYMENT_CONTROL_BASE_URL: undefined,
  };
  const pulumi = (...args: readonly string[]) =>
    execFileSync("pulumi", [...args, "--non-interactive"], { cwd: folder, env, encoding: "utf8" });
  pulumi("new", path.join(TEMPLATES, language), "--yes", "--name", "agents", "--stack", "dev", ...options);
  return { folder, pulumi };
}

const CREATED = /deployment-control:.*chat create[\s\S]*\+ 2 to create/;

test(
  "a project from the TypeScript template can be previewed with an installed package, and has LangSmith's settings",
  () => {
    const { folder, pulumi } = newProject("typescript", hosting("nodejs"));
    run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", packedInto(work));
    expect(pulumi("preview")).toMatch(CREATED);
    const settings = readFileSync(path.join(folder, "Pulumi.dev.yaml"), "utf8");
    expect(settings).toContain("deployment-control:baseUrl: https://api.host.langchain.com");
    expect(settings).toContain("deployment-control:profile: langsmith");
  },
  WITH_BUILD,
);

test(
  "a project from the YAML template can be previewed after the plugin is installed",
  () => {
    const plugin = path.join(__dirname, "..", "..", "dist", "plugin");
    const { PATH = "" } = hosting("yaml");
    const { pulumi } = newProject("yaml", { PATH: [plugin, PATH].join(path.delimiter) });
    expect(pulumi("preview")).toMatch(CREATED);
  },
  WITH_BUILD,
);

const installed = installedPackage();
installed.testOfPython(
  "a project from the Python template can be previewed after the plugin's package is added",
  () => {
    const plugin = path.join(__dirname, "..", "..", "dist", "plugin");
    const { environment } = installed;
    const PATH = [plugin, environment.PATH].join(path.delimiter);
    // Python's packages are already installed, and so is the package from the plugin's schema.
    const { folder, pulumi } = newProject("python", { ...environment, PATH }, "--generate-only");
    const prefix = execFileSync("python3", ["-c", "import sys; print(sys.prefix)"], { env: { PATH } });
    symlinkSync(String(prefix).trim(), path.join(folder, "venv"));
    pulumi("stack", "init", "dev");
    pulumi("config", "set", "deployment-control:baseUrl", "https://api.host.langchain.com");
    pulumi("config", "set", "deployment-control:profile", "langsmith");
    expect(pulumi("preview")).toMatch(CREATED);
  },
  WITH_BUILD,
);
