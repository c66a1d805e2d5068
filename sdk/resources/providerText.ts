/** The code by which Pulumi's host finds this package. The state of each dynamic resource contains the code. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PACKAGE } from "../../provider/schema/naming";
import { jsonIn, propertiesIn } from "../../provider/schema/value";

const linksFrom: { [folder: string]: readonly string[] | undefined } = {};

/**
 * The code that the provider process runs for the resource. The code is short and captures no variables, because the
 * state contains the code twice for each resource. If only a dependency of the program depends on this package, the
 * code names the links to that dependency.
 */
export function providerText(resource: string): string {
  const folder = process.cwd();
  linksFrom[folder] ??= linksToDependent(folder);
  const links = linksFrom[folder];
  const entry = JSON.stringify(`${PACKAGE}/provider`);
  if (links === undefined) return `exports.handler = () => { throw Object.assign(Error(), ${UNREACHED}); };`;
  if (links.length === 0) return `exports.handler = () => require(${entry}).${resource};`;
  const last = links.reduce((at, link) => `fs.realpathSync(${at} + ${JSON.stringify(`/${link}`)})`, '"."');
  const paths = `{ paths: [".", ${last}] }`;
  return `exports.handler = (fs = require("fs")) => require(require.resolve(${entry}, ${paths})).${resource};`;
}

const message = `the program cannot load ${PACKAGE}: add it to its dependencies or, with pnpm, set public-hoist-pattern[]=${PACKAGE} in .npmrc`;
const UNREACHED = JSON.stringify({ message, stack: message });

/**
 * The links from the folder to a package that depends on the running copy of this package. Each link is relative to the
 * previous link's target. Empty if the folder itself has the running copy; undefined if there is no copy.
 */
function linksToDependent(start: string): readonly string[] | undefined {
  const [running, nearest] = [copyFrom(__dirname), copyFrom(start)];
  const folders = new Map<string, readonly string[]>(nearest === running ? [] : [[start, []]]);
  for (const [folder, links] of folders)
    for (const link of dependenciesOf(folder)) {
      const dependency = realpathSync(path.join(folder, link));
      if (dependency === running) return links;
      if (!folders.has(dependency)) folders.set(dependency, [...links, link]);
    }
  return nearest === undefined ? undefined : [];
}

const requireIn = (folder: string) => createRequire(path.join(folder, "index.js"));

function copyFrom(folder: string): string | undefined {
  try {
    return path.dirname(realpathSync(requireIn(folder).resolve(`${PACKAGE}/package.json`)));
  } catch {
    return undefined;
  }
}

/** The paths of the installed dependencies, relative to the folder. */
function dependenciesOf(folder: string): string[] {
  const file = path.join(folder, "package.json");
  const manifest = existsSync(file) ? jsonIn(readFileSync(file, "utf8")) : undefined;
  const { dependencies, devDependencies, peerDependencies } = propertiesIn(manifest);
  return Object.keys(Object.assign({}, dependencies, devDependencies, peerDependencies)).flatMap((name) => {
    const places = (requireIn(folder).resolve.paths(name) ?? []).map((modules) => path.join(modules, name));
    const installed = places.find((place) => existsSync(place));
    return installed === undefined ? [] : [path.relative(folder, installed).replaceAll("\\", "/")];
  });
}
