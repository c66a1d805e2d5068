// The environment in which Pulumi runs for `npm start` and for the tests, separate from the user's own
// Pulumi.
import fs from "node:fs";
import path from "node:path";
import { nodeBin, pathFolders, pinnedNode } from "../steps.mjs";
import { findPulumi } from "./pulumi.mjs";

/** Variables that put Pulumi's login, state and plugins into `homeFolder`, a folder that the caller deletes. */
export function pulumiEnvironment(homeFolder) {
  const home = path.resolve(homeFolder);
  const state = path.join(home, "state");
  fs.mkdirSync(state, { recursive: true });
  return {
    ...withoutOurs(process.env),
    PATH: pulumiPath(),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state.split(path.sep).join("/")}`,
    PULUMI_CONFIG_PASSPHRASE: "local",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** The pinned Node comes before the CLI, because the CLI's folder may have an older Node. */
export function pulumiPath() {
  return [path.dirname(pinnedNode), nodeBin, findPulumi().bin, ...pathFolders()].join(path.delimiter);
}

// A run must not use the user's account, stack or service. The user's settings must not affect any output.
function withoutOurs(environment) {
  const isOurs = (name) => /^(PULUMI_|DEPLOYMENT_CONTROL_)/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOurs(name)));
}
