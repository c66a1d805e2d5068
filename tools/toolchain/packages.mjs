// Makes the packages that Pulumi generates for programs in a language. `node packages.mjs FOLDER nodejs
// python` makes FOLDER/nodejs and FOLDER/python from the built plugin's own schema, as `pulumi package
// gen-sdk` does.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { asProgram, executable, pathFolders, root, runQuietly, Stop } from "../steps.mjs";
import { goTool } from "./go-tools.mjs";
import { findHost } from "./hosts.mjs";
import { findPulumi } from "./pulumi.mjs";

const plugin = path.join(root, "dist", "plugin", "pulumi-resource-deployment-control");

// The language hosts in a published Pulumi release generate code. The hosts that the project builds are older and
// cannot generate code.
function generate(folder, language) {
  const host = language === "nodejs" ? [] : [findHost(language)];
  const PATH = [findPulumi().bin, ...host, ...pathFolders()].join(path.delimiter);
  const env = { ...process.env, PATH, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const args = ["package", "gen-sdk", plugin, "--language", language, "--out", folder];
  const ran = spawnSync(executable("pulumi"), args, { encoding: "utf8", env });
  if (ran.status === 0) return;
  const complaint = `${ran.stdout}${ran.stderr}`;
  if (!/not implemented/i.test(complaint)) throw new Stop(`pulumi ${args.join(" ")}\n${complaint}`);
  runQuietly(goTool("code-generator"), [path.join(root, "provider", "schema.json"), folder]);
}

asProgram(import.meta.url, (folder, ...languages) => {
  for (const language of languages) generate(path.resolve(folder), language);
});
