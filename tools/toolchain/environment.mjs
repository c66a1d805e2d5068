// The environment in which Pulumi runs for `npm start` and for the tests, out of sight of the user's own Pulumi.
import fs from "node:fs";
import path from "node:path";
import { nodeBin, pathFolders } from "../steps.mjs";
import { findPulumi } from "./pulumi.mjs";

/** Variables with a login, state and plugins in `homeFolder` alone; the folder is made, and is the caller's to delete. */
export function pulumiEnvironment(homeFolder) {
  const home = path.resolve(homeFolder);
  const state = path.join(home, "state");
  fs.mkdirSync(state, { recursive: true });
  return {
    ...withoutOurs(process.env),
    PATH: pulumiPath(),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "local",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** The PATH with the pinned Node and the CLI in front. Node first: the CLI's folder may hold an older one. */
export function pulumiPath() {
  return [nodeBin, findPulumi().bin, ...pathFolders()].join(path.delimiter);
}

// A user's account, stack or service must neither be reached nor change a result.
function withoutOurs(environment) {
  const isOurs = (name) => /^(PULUMI_|DEPLOYMENT_CONTROL_)/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOurs(name)));
}
