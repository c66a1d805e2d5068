// Finds the Pulumi CLI, or gets it. An existing CLI is never changed. A new CLI is stored in
// .cache/pulumi/<version>/bin.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  cache,
  executable,
  isProgram,
  makeFolder,
  pathFolders,
  runQuietly,
  Stop,
  say,
  script,
  withLock,
} from "../steps.mjs";
import { buildPulumi } from "./build-pulumi.mjs";
import { downloadPublishedPulumi, downloadPulumi } from "./download-pulumi.mjs";

/** The version of the CLI to get, and the oldest version to accept. package.json and cli/go.mod repeat this version. */
export const pulumiVersion = "3.250.0";

/** The project's folder for a CLI of that version. */
export const pulumiCache = path.join(cache, "pulumi", pulumiVersion);

const cached = path.join(pulumiCache, "bin");
export const parts = [
  executable("pulumi"),
  executable("pulumi-language-nodejs"),
  script("pulumi-resource-pulumi-nodejs"),
];
let pulumi;

/** Finds a CLI, or downloads or builds one. `bin` is the CLI's folder, which belongs on the PATH. */
export function findPulumi() {
  pulumi ??= named() ?? onPath() ?? inCache() ?? withLock("pulumi", () => inCache() ?? get());
  return pulumi;
}

/** Whether `findPulumi` finds a CLI without a download or a build. */
export const hasPulumi = () => (named() ?? onPath() ?? inCache()) !== undefined;

// Fails if the CLI that the user named is unusable, because the user would not expect a different CLI.
function named() {
  const name = process.env.DEPLOYMENT_CONTROL_PULUMI;
  if (!name) return undefined;
  const places = [path.dirname(name), name, path.join(name, "bin")].map((folder) =>
    path.join(folder, parts[0]),
  );
  const binary = places.find(isProgram);
  const cli = binary ? judge(binary) : { fault: "there is no pulumi in it" };
  if (cli.fault) throw new Stop(`DEPLOYMENT_CONTROL_PULUMI=${name} cannot be used: ${cli.fault}`);
  return { ...cli, origin: "DEPLOYMENT_CONTROL_PULUMI" };
}

function onPath() {
  const ownHome = path.join(process.env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"), "bin");
  const seen = new Set();
  for (const folder of [...pathFolders(), ownHome]) {
    const binary = path.join(folder, parts[0]);
    if (folder === cached || !isProgram(binary)) continue;
    const real = fs.realpathSync(binary);
    // The npm package `pulumi` is a script that downloads the CLI, so even `pulumi version` could take
    // minutes.
    if (seen.has(real) || `${binary}${real}`.includes(`${path.sep}node_modules${path.sep}`)) continue;
    seen.add(real);
    const cli = judge(binary);
    if (!cli.fault) return { ...cli, origin: folder === ownHome ? ownHome : "PATH" };
    say(`${binary} is not used: ${cli.fault}`);
  }
  return undefined;
}

function judge(binary) {
  const missing = (folder) =>
    parts.filter((part) => ![folder, ...pathFolders()].some((place) => isProgram(path.join(place, part))));
  // The binary may be a link, and the language hosts may be next to the link's target.
  const folders = [path.dirname(binary), path.dirname(fs.realpathSync(binary))];
  const bin = folders.find(
    (folder) => isProgram(path.join(folder, parts[0])) && missing(folder).length === 0,
  );
  if (!bin) return { fault: `${missing(folders[0]).join(" and ")} is neither beside it nor on the PATH` };
  const version = versionOf(binary);
  if (!version) return { fault: "it does not tell its version" };
  if (isOlder(version)) return { fault: `its version is ${version}; ${pulumiVersion} or later is needed` };
  return { bin, version };
}

function versionOf(binary) {
  // Asking the CLI for its version must leave no trace in the user's home.
  const PULUMI_HOME = fs.mkdtempSync(path.join(os.tmpdir(), "pulumi-version-"));
  try {
    const env = { ...process.env, PULUMI_HOME, PULUMI_SKIP_UPDATE_CHECK: "1" };
    return /^v?(\d+\.\d+\.\d+\S*)/.exec(runQuietly(binary, ["version"], { env, minutes: 0.5 }))?.[1];
  } catch {
    return undefined;
  } finally {
    fs.rmSync(PULUMI_HOME, { recursive: true, force: true });
  }
}

function isOlder(version) {
  const [have, need] = [version, pulumiVersion].map((text) =>
    text
      .split(/[.\-+]/)
      .slice(0, 3)
      .map(Number),
  );
  const first = need.findIndex((number, index) => number !== have[index]);
  return first >= 0 && have[first] < need[first];
}

function inCache() {
  if (!parts.every((part) => isProgram(path.join(cached, part)))) return undefined;
  return { bin: cached, version: pulumiVersion, origin: "project cache" };
}

function get() {
  say(`no Pulumi CLI ${pulumiVersion} or later on the PATH: getting one`);
  const tried = [];
  for (const [origin, make] of [
    ["download", downloadPulumi],
    ["built with Go", buildPulumi],
    ["download", downloadPublishedPulumi],
  ]) {
    try {
      makeFolder(cached, (work) => checked(make(work, pulumiVersion)));
      return { ...inCache(), origin };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      tried.push(error.message);
      say(error.message);
    }
  }
  throw new Stop(
    [
      `no usable Pulumi CLI. Tried: DEPLOYMENT_CONTROL_PULUMI (not set); PATH and ~/.pulumi/bin (none usable); ${cached} (empty);`,
      ...tried.map((text) => `- ${text.split("\n")[0]}`),
      `Install one of: the Pulumi CLI ${pulumiVersion} or later (https://www.pulumi.com/docs/install/), or Go 1.25.11 or later.`,
    ].join("\n"),
  );
}

/** Throws a Stop if a part is missing or the CLI has the wrong version. */
function checked(folder) {
  const missing = parts.filter((part) => !isProgram(path.join(folder, part)));
  if (missing.length > 0) throw new Stop(`the new CLI lacks ${missing.join(", ")}`);
  const version = versionOf(path.join(folder, parts[0]));
  if (version !== pulumiVersion)
    throw new Stop(`the new CLI says that its version is ${version ?? "unknown"}`);
  return folder;
}
