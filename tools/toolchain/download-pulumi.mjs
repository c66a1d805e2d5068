// Downloads the published CLI as an archive. It is unpacked only if it has the checksum in pulumi.sha256 or,
// if there is no other way to a CLI, the checksum that Pulumi publishes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isWindows, pinnedNode, runQuietly, Stop, step } from "../steps.mjs";

const host = "https://get.pulumi.com/releases/sdk/";
const sums = path.join(import.meta.dirname, "pulumi.sha256");

/** Downloads the CLI with the recorded sum into `work` and returns its folder; throws a Stop if it cannot. */
export function downloadPulumi(work, version) {
  const name = archiveName(version, process.platform, process.arch);
  return downloaded(work, version, name, sumOf(name, fs.readFileSync(sums, "utf8"), path.basename(sums)));
}

/**
 * The same with the published checksum. It comes from the host of the archive, so it proves only that the download is
 * complete.
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
    // The tar of Windows reads zip files too; one of another vendor may come before it on the PATH.
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

/** The archive's sum in the text of a file of sums; throws a Stop if there is none. */
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
