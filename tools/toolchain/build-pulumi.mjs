// Builds the CLI and the language hosts from source with Go, for machines with a Go module proxy but no open
// internet.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cache, executable, root, runQuietly, Stop, script, step } from "../steps.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
// The Go version that cli/go.mod requires. An older Go downloads this version by itself if Go's settings allow the
// download.
const goVersion = [1, 25, 11];

/**
 * Builds the CLI and the Node language host into a folder in `work`, and returns the folder. Throws a Stop on
 * failure.
 */
export function buildPulumi(work, version) {
  const bin = path.join(work, "bin");
  fs.mkdirSync(bin);
  step("building Pulumi's Node language host with Go", "15 s, up to 1 min with an empty Go cache", () =>
    build(bin, "language-host", "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"),
  );
  // Without this flag, the CLI would not know its version, and the Automation API would refuse the CLI.
  const flag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  step(`building the Pulumi CLI ${version} with Go`, "10 s, 2 to 5 min with an empty Go cache", () =>
    build(bin, "cli", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", flag),
  );
  const plugin = script("pulumi-resource-pulumi-nodejs");
  fs.copyFileSync(path.join(root, "node_modules", "@pulumi", "pulumi", plugin), path.join(bin, plugin));
  fs.chmodSync(path.join(bin, plugin), 0o755);
  return bin;
}

/** Builds the host for programs in YAML into the folder `bin`. */
export function buildYamlHost(bin) {
  step("building Pulumi's YAML language host with Go", "10 s, 2 to 3 min with an empty Go cache", () =>
    build(bin, "yaml-host", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"),
  );
}

/** Builds the host for programs in Java into the folder `bin`. This host also generates the package for Java. */
export function buildJavaHost(bin) {
  step("building Pulumi's Java language host with Go", "10 s, 2 to 3 min with an empty Go cache", () =>
    build(bin, "yaml-host", "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"),
  );
}

/** Builds the host for programs in Python into the folder `bin`, and copies the host's start script into `bin`. */
export function buildPythonHost(bin) {
  step("building Pulumi's Python language host with Go", "5 s, up to 2 min with an empty Go cache", () =>
    build(bin, "language-host", "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"),
  );
  // The script comes from the CLI's version, because the script of the older host would not understand the
  // CLI's output.
  const download = ["mod", "download", "-json", "github.com/pulumi/pulumi/sdk/v3"];
  const source = runQuietly("go", download, { cwd: path.join(here, "cli"), env: goEnvironment() });
  const starter = "pulumi-language-python-exec";
  fs.copyFileSync(path.join(JSON.parse(source).Dir, "python", "cmd", starter), path.join(bin, starter));
  fs.chmodSync(path.join(bin, starter), 0o755);
}

function build(bin, module, source, flags = "") {
  const output = path.join(bin, executable(path.posix.basename(source)));
  const args = ["build", "-o", output, "-ldflags", `-s -w ${flags}`, source];
  runQuietly("go", args, { cwd: path.join(here, module), env: goEnvironment(), minutes: 30 });
}

/** The environment for Go, without user settings that could change a build. Throws a Stop if Go is missing. */
export function goEnvironment() {
  const installedGo = spawnSync("go", ["env", "GOVERSION"], {
    encoding: "utf8",
    cwd: here,
    env: { ...process.env, GOTOOLCHAIN: "local" },
  });
  if (installedGo.status !== 0) throw new Stop("build skipped: there is no Go on the PATH");
  // With these settings, Go ignores the user's flags and any go.work, and leaves go.mod and go.sum unchanged.
  const env = { ...process.env, GOFLAGS: "-mod=readonly -trimpath -buildvcs=false", GO111MODULE: "on" };
  Object.assign(env, { GOWORK: "off", CGO_ENABLED: "0" });
  for (const name of ["GOOS", "GOARCH", "GOEXPERIMENT", "GOBIN"]) delete env[name];
  if (isEnough(installedGo.stdout)) env.GOTOOLCHAIN = "local";
  else delete env.GOTOOLCHAIN;
  return withGoFolders(env);
}

function isEnough(text) {
  const have = (/go(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? []).slice(1).map((number) => Number(number ?? 0));
  const first = goVersion.findIndex((number, index) => number !== have[index]);
  return first < 0 || have[first] > goVersion[first];
}

// By default, Go's folders are in HOME. If HOME is not writable, Go uses folders of the project.
function withGoFolders(env) {
  try {
    const folders = runQuietly("go", ["env", "GOCACHE", "GOMODCACHE"], { env, cwd: here }).trim().split("\n");
    // Without HOME, Go prints "off" or nothing for a folder.
    if (folders.length !== 2 || !folders.every(path.isAbsolute)) throw new Error("no folders");
    for (const folder of folders) {
      fs.mkdirSync(folder, { recursive: true });
      fs.accessSync(folder, fs.constants.W_OK);
    }
    return env;
  } catch {
    const goFolder = path.join(cache, "go");
    // Go makes its downloads read-only, but a project's folder must be deletable.
    const GOFLAGS = `${env.GOFLAGS} -modcacherw`;
    const GOMODCACHE = path.join(goFolder, "pkg", "mod");
    return {
      ...env,
      GOPATH: goFolder,
      GOMODCACHE,
      GOCACHE: path.join(goFolder, "build"),
      GOENV: "off",
      GOFLAGS,
    };
  }
}
