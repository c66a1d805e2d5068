/** Installs the plugin from the packed archive into an empty folder, with the commands of the guide, as a user does. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { started } from "../support/embeddedService";
import { ProjectStack } from "../support/examples/projectStack";
import { hosting, WITH_BUILD } from "../support/languages/hosts";

const ROOT = path.join(__dirname, "..", "..");
const GUIDE = readFileSync(path.join(ROOT, "docs/guides/languages.md"), "utf8");
const FOUND = "plugins: { providers: [{ name: deployment-control, path: node_modules/.bin }] }";

const PROGRAM = `name: fresh
runtime: yaml
${FOUND}
resources:
  chat:
    type: deployment-control:Deployment
    properties: { name: chat, source: external_docker, sourceRevisionConfig: { imageUri: "i:1" } }
`;

const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-fresh-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd, encoding: "utf8" });

test(
  "to use the plugin, a program in YAML needs only one npm command and one line in the project's file",
  async () => {
    const archive = npm(ROOT, "pack", "--pack-destination", folder).trim();
    for (const line of ["npm install --omit=peer PATH_OF_THE_ARCHIVE", FOUND]) expect(GUIDE).toContain(line);
    npm(folder, "install", "--omit=peer", path.join(folder, archive));
    // The plugin needs no other package, so Pulumi's SDK and its dependencies are not installed.
    expect(readdirSync(path.join(folder, "node_modules"))).not.toContain("@pulumi");
    writeFileSync(path.join(folder, "Pulumi.yaml"), PROGRAM);

    const emulator = await started({});
    const stack = await ProjectStack.of(folder, hosting("yaml"));
    await stack.set("deployment-control:baseUrl", emulator.url, false);
    expect(await stack.run("up", "--yes", "--skip-preview")).toContain("2 created");
    expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat"]);
  },
  WITH_BUILD,
);
