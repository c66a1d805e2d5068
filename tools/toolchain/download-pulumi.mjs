// Downloads the published CLI as an archive. The archive must have the checksum in pulumi.sha256. If no other
// CLI is available, the checksum that Pulumi publishes is enough. `node download-pulumi.mjs VERSION FOLDER`
// downloads a CLI with the published checksum into FOLDER, and prints the folder to put on the PATH. VERSION may
// be `newest`.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { asProgram, isWindows, pinnedNode, runQuietly, Stop, step } from "../steps.mjs";

const host = "https://get.pulumi.com/releases/sdk/";
const sums = path.join(import.meta.dirname, "pulumi.sha256");

/**
 * Downloads the CLI with the recorded checksum into `work`, and returns the CLI's folder. Throws a Stop on failure.
 */
export function downloadPulumi(work, version) {
  const name = archiveName(version, process.platform, process.arch);
  return downloaded(work, version, name, sumOf(name, fs.readFileSync(sums, "utf8"), path.basename(sums)));
}

/**
 * The published checksum comes from the same host as the archive, so it proves only that the download is complete.
 */
export function downloadPublishedPulumi(work, version) {
  const name = archiveName(version, process.platform, process.arch);
  const published = `pulumi-${version}-checksums.txt`;
  const file = path.join(work, published);
  fetchInto(file, `${host}${published}`);
  return downloaded(work, version, name, sumOf(name, fs.readFileSync(file, "utf8"), published));
}

function downloaded(work, version, name, sum) {
  return step(`downloading the Pulumi CLI ${version}`, "10 to 60 s", () => {
    const file = path.join(work, name);
    fetchInto(file, `${host}${name}`);
    requireSum(fs.readFileSync(file), sum, name);
    // Windows includes a tar that also reads zip files. The command uses the full path of this tar, because a
    // different tar may come first on the PATH.
    const tar = isWindows ? path.join(process.env.SystemRoot ?? "", "System32", "tar.exe") : "tar";
    runQuietly(tar, ["-xf", name], { minutes: 2, cwd: work });
    const bin = path.join(work, "pulumi", "bin");
    return fs.existsSync(bin) ? bin : path.join(work, "pulumi");
  });
}

export function archiveName(version, platform, arch) {
  const system = platform === "win32" ? "windows" : platform;
  return `pulumi-v${version}-${system}-${arch}.${platform === "win32" ? "zip" : "tar.gz"}`;
}

/** The archive's checksum in the checksum file. Throws a Stop if the file does not list the archive. */
export function sumOf(name, text, file) {
  const line = text.split("\n").find((each) => each.split(/\s+\*?/)[1] === name);
  const sum = line?.split(/\s/)[0];
  if (!/^[0-9a-f]{64}$/.test(sum ?? "")) throw new Stop(`download skipped: ${file} has no sum of ${name}`);
  return sum;
}

export function requireSum(bytes, sum, name) {
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== sum) throw new Stop(`download refused: ${name} has the sum ${actual}, not ${sum}`);
}

function fetchInto(file, url) {
  const get = `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(180000) }).then(async (answer) => {
    if (!answer.ok) process.exit(1);
    require("node:fs").writeFileSync(${JSON.stringify(file)}, Buffer.from(await answer.arrayBuffer()));
  }).catch(() => process.exit(1))`;
  try {
    runQuietly(pinnedNode, ["-e", get], { minutes: 4 });
  } catch {
    throw new Stop(`download skipped: ${url} cannot be had`);
  }
}

// Each release of the CLI has an SDK of the same version.
const newest = () => runQuietly("npm", ["view", "@pulumi/pulumi", "version"], { minutes: 1 }).trim();

asProgram(import.meta.url, (version, folder) => {
  process.stdout.write(`${downloadPublishedPulumi(folder, version === "newest" ? newest() : version)}\n`);
});
