/** Checks a release's plugin archives (one for each system), and installs one with `pulumi plugin install`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { list } from "tar";
import { version } from "../../package.json";
import { started } from "../support/embeddedService";
import { ProjectStack } from "../support/examples/projectStack";
import { hosting, WITH_BUILD } from "../support/languages/hosts";

const ARCHIVES = path.join(__dirname, "..", "..", "tools", "release", "archives.mjs");
const NAME = "pulumi-resource-deployment-control";

const PROGRAM = `name: fresh
runtime: yaml
resources:
  chat:
    type: deployment-control:Deployment
    properties: { name: chat, source: external_docker, sourceRevisionConfig: { imageUri: "i:1" } }
`;

const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-archives-"));
const archiveFolder = path.join(folder, "archives");
beforeAll(
  () => void execFileSync(process.execPath, [ARCHIVES, archiveFolder], { stdio: "pipe" }),
  WITH_BUILD,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function filesOf(archive: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const onReadEntry = ({ path: file, mode = 0 }: { path: string; mode?: number }) => {
    files[file] = mode.toString(8);
  };
  await list({ file: path.join(archiveFolder, archive), onReadEntry });
  return files;
}

test("the archive for each system has the name that the engine requests, and the plugin at its root", async () => {
  const archives = readdirSync(archiveFolder).filter((file) => file.endsWith(".tar.gz"));
  const systems = ["darwin", "linux", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);
  expect(archives.sort()).toEqual(systems.map((system) => `${NAME}-v${version}-${system}.tar.gz`));
  for (const archive of archives) {
    const forWindows = archive.includes("windows") ? { [`${NAME}.cmd`]: "644" } : {};
    const licences = { LICENSE: "644", "THIRD-PARTY-LICENSES.txt": "644" };
    expect(await filesOf(archive)).toEqual({ [NAME]: "755", ...forWindows, ...licences });
  }
});

test("the file of checksums matches the archives", () => {
  const [sums] = readdirSync(archiveFolder).filter((file) => file.endsWith(".sha256"));
  const checked = execFileSync("sha256sum", ["--check", sums as string], {
    cwd: archiveFolder,
    encoding: "utf8",
  });
  expect(checked.match(/: OK$/gm)).toHaveLength(6);
});

test("the license file next to the plugin names every bundled package", () => {
  const text = readFileSync(path.join(__dirname, "../../dist/plugin/THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)\\n\\n\\S`, "m"));
});

test(
  "pulumi plugin install accepts the archive, and a program then runs, although no other copy of the plugin is installed",
  async () => {
    writeFileSync(path.join(folder, "Pulumi.yaml"), PROGRAM);
    const emulator = await started({});
    const stack = await ProjectStack.of(folder, hosting("yaml"));
    await stack.set("deployment-control:baseUrl", emulator.url, false);
    await expect(stack.run("preview")).rejects.toThrow(/deployment-control/);
    await stack.installPlugin("deployment-control", `v${version}`, path.join(archiveFolder, archiveHere()));
    expect(await stack.run("up", "--yes", "--skip-preview")).toContain("2 created");
    expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat"]);
    expect(await stack.run("up", "--yes", "--skip-preview")).toContain("2 unchanged");
  },
  WITH_BUILD,
);

function archiveHere(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${NAME}-v${version}-${system}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;
}
