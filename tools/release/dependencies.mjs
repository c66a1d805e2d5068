// Checks the dependencies of the package and of its build: licenses, signatures, and the bill of materials.
import fs from "node:fs";
import path from "node:path";
import { root, Stop } from "../steps.mjs";
import { manifest, output, run } from "./running.mjs";

// Licenses that suit the users of this package. A person decides about any other license.
const allowed = [
  ...["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"],
  ...["Python-2.0", "PSF-2.0", "CC0-1.0", "CC-BY-3.0", "CC-BY-4.0"],
];

// Packages whose package.json names no license. A person has read the license texts of these packages.
const readByHand = { "@logdna/tail-file@2.2.0": "MIT" };

export function licences() {
  const packages = JSON.parse(run("license-checker-rseidelsohn", ["--json", "--start", root]));
  const dependencies = Object.entries(packages).filter(([, { path: folder }]) =>
    folder.includes("node_modules"),
  );
  const licenseOf = ([name, { licenses }]) => readByHand[name] ?? String(licenses);
  const refused = dependencies.filter((each) => !isAllowed(licenseOf(each)));
  if (refused.length === 0) return `${dependencies.length} packages, all allowed`;
  throw new Stop(
    refused.map((each) => `${each[0]}: ${licenseOf(each)} is not an allowed license`).join("\n"),
  );
}

/**
 * "(MIT OR CC0-1.0)" needs one allowed license. "A AND B" needs two. An asterisk marks a license that the tool read
 * from the license's text.
 */
function isAllowed(text) {
  const isKnown = (name) => allowed.includes(name.trim());
  const choices = text.replace(/[()*]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every(isKnown));
}

// Matches errors about failed downloads, but not errors about missing or wrong signatures.
const UNREACHABLE =
  /npm error (?:code (E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)|E404)|network )/;

export function signatures() {
  try {
    const summary = run("npm", [
      "audit",
      "signatures",
      "--loglevel=error",
      "--fetch-retries=0",
      "--fetch-timeout=30000",
    ]);
    return summary.trim().split("\n").filter(Boolean).join("; ");
  } catch (error) {
    const [, code] = UNREACHABLE.exec(error.message) ?? [];
    if (code === undefined) throw error;
    return `skipped: the keys of the signatures cannot be downloaded here (${code})`;
  }
}

/**
 * Writes the bill of materials as CycloneDX: the packages that npm installs with this package, and the packages in the
 * plugin's bundle.
 */
export function sbom() {
  fs.mkdirSync(output, { recursive: true });
  const file = path.join(output, `${manifest.name}-v${manifest.version}.cdx.json`);
  const options = ["--no-workspaces", "--flatten-components", "--output-reproducible", "--validate"];
  run("cyclonedx-npm", [...options, "--output-file", file]);
  const all = JSON.parse(fs.readFileSync(file, "utf8"));
  const shipped = [...installedWith(), ...carried()];
  const components = all.components.filter((each) => shipped.includes(nameOf(each)));
  const missing = shipped.filter((name) => !components.some((each) => nameOf(each) === name));
  if (missing.length > 0) throw new Stop(`${file} lacks ${missing.join(", ")}`);
  const refs = new Set([all.metadata.component, ...components].map((each) => each["bom-ref"]));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  fs.writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies }, undefined, 2)}\n`);
  return `${components.length} components: ${file}`;
}

const nameOf = ({ group, name, version }) => `${[group, name].filter(Boolean).join("/")}@${version}`;

const installedWith = () => Object.entries(manifest.dependencies).map((each) => each.join("@"));

/** The file of licenses next to the plugin's bundle lists the packages in the bundle. */
function carried() {
  const text = fs.readFileSync(path.join(root, "dist/plugin/THIRD-PARTY-LICENSES.txt"), "utf8");
  const packages = [...text.matchAll(/^-{80}\n\n(\S+) (\d\S*) \(/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  if (packages.length === 0) throw new Stop("the licenses beside the plugin name no package");
  return packages.filter((each) => !installedWith().includes(each));
}
