// Downloads the published CLI with the npm package `pulumi`, which runs the official install script.
import path from "node:path";
import { pinnedNode, runQuietly, Stop, step } from "../steps.mjs";

const host = "https://get.pulumi.com/install.sh";

/** Downloads the CLI into `work` and returns its folder; throws a Stop if it cannot. */
export function downloadPulumi(work, version) {
  requireHost();
  return step(`downloading the Pulumi CLI ${version}`, "10 to 60 s", () => {
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
    runQuietly("npm", ["install", `pulumi@${version}`, "--prefix", work, ...quiet], {
      minutes: 1,
      cwd: work,
    });
    const wrapper = path.join(work, "node_modules", "pulumi", "run.js");
    const env = { ...process.env, PULUMI_HOME: work, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "1" };
    runQuietly(pinnedNode, [wrapper, "version"], { minutes: 3, cwd: work, env });
    return path.join(work, "versions", version, "bin");
  });
}

// The package waits for the host without a time limit, so ask the host first, with one.
function requireHost() {
  const ask = `fetch(${JSON.stringify(host)}, { method: "HEAD", signal: AbortSignal.timeout(4000) }).then(
    (answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
  try {
    runQuietly(pinnedNode, ["-e", ask], { minutes: 0.1 });
  } catch {
    throw new Stop(`download skipped: ${new URL(host).host} cannot be reached`);
  }
}
