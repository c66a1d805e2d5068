// Collects the licenses of packages whose code the build bundles.
import fs from "node:fs";
import path from "node:path";
import { root } from "../steps.mjs";

/** One license text for each package to which these files belong. */
export function licencesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort().map(licenceOf);
}

function licenceOf(folder) {
  const read = (file) => fs.readFileSync(path.join(root, folder, file), "utf8").trim();
  const { name, version, license } = JSON.parse(read("package.json"));
  const texts = fs.readdirSync(path.join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  return `${[`${name} ${version} (${license})`, ...texts.map(read)].join("\n\n")}\n`;
}
