// The CLI built from its own source with Go: where there is no download, but a Go module proxy.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cache, executable, root, runQuietly, Stop, step } from "./steps.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
// What cli/go.mod asks for; an older Go fetches this one by itself, when it may.
const goVersion = [1, 25, 11];

/** Builds the CLI and the Node language host into a folder inside `work` and returns it; a Stop when it cannot. */
export function buildPulumi(work, version) {
  const go = goEnvironment();
  const bin = path.join(work, "bin");
  fs.mkdirSync(bin);
  const build = (module, name, source, flags = "") =>
    runQuietly(
      "go",
      ["build", "-o", path.join(bin, executable(name)), "-ldflags", `-s -w ${flags}`, source],
      {
        cwd: path.join(here, module),
        env: go,
        minutes: 30,
      },
    );
  step("building Pulumi's Node language host with Go", "15 s, up to 1 min with an empty Go cache", () =>
    build(
      "language-host",
      "pulumi-language-nodejs",
      "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    ),
  );
  // The Automation API refuses a CLI that does not know its version.
  const flag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  step(`building the Pulumi CLI ${version} with Go`, "10 s, 2 to 5 min with an empty Go cache", () =>
    build("cli", "pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", flag),
  );
  const plugin =
    process.platform === "win32" ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";
  fs.copyFileSync(path.join(root, "node_modules", "@pulumi", "pulumi", plugin), path.join(bin, plugin));
  fs.chmodSync(path.join(bin, plugin), 0o755);
  return bin;
}

function goEnvironment() {
  const found = spawnSync("go", ["env", "GOVERSION"], {
    encoding: "utf8",
    cwd: here,
    env: { ...process.env, GOTOOLCHAIN: "local" },
  });
  if (found.status !== 0) throw new Stop("build skipped: there is no Go on the PATH");
  // Neither a user's flags nor a go.work above us may change what is built, nor the pinned go.mod and go.sum.
  const env = { ...process.env, GOFLAGS: "-mod=readonly -trimpath -buildvcs=false", GO111MODULE: "on" };
  Object.assign(env, { GOWORK: "off", CGO_ENABLED: "0" });
  for (const name of ["GOOS", "GOARCH", "GOEXPERIMENT", "GOBIN"]) delete env[name];
  if (isEnough(found.stdout)) env.GOTOOLCHAIN = "local";
  else delete env.GOTOOLCHAIN;
  return withGoFolders(env);
}

function isEnough(text) {
  const have = (/go(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? []).slice(1).map((number) => Number(number ?? 0));
  const first = goVersion.findIndex((number, index) => number !== have[index]);
  return first < 0 || have[first] > goVersion[first];
}

// Go keeps its folders in HOME; without one that can be written, they go to ours.
function withGoFolders(env) {
  try {
    const folders = runQuietly("go", ["env", "GOCACHE", "GOMODCACHE"], { env, cwd: here }).trim().split("\n");
    // Without HOME, Go answers "off" or nothing.
    if (folders.length !== 2 || !folders.every(path.isAbsolute)) throw new Error("no folders");
    for (const folder of folders) {
      fs.mkdirSync(folder, { recursive: true });
      fs.accessSync(folder, fs.constants.W_OK);
    }
    return env;
  } catch {
    const own = path.join(cache, "go");
    // Go makes its downloads read-only: in a project's folder they must be deletable.
    const GOFLAGS = `${env.GOFLAGS} -modcacherw`;
    const GOMODCACHE = path.join(own, "pkg", "mod");
    return { ...env, GOPATH: own, GOMODCACHE, GOCACHE: path.join(own, "build"), GOENV: "off", GOFLAGS };
  }
}

// For what else is built of the same modules.
export { goEnvironment };
