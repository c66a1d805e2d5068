// Run this after `npm install` of a new package: it adds to package-lock.json the packages for other platforms that npm
// left out. npm drops an optional package that the configured registry lacks, and then `npm ci` refuses the lock file.
import fs from "node:fs";
import path from "node:path";
import { root, say } from "../steps.mjs";

const file = path.join(root, "package-lock.json");
const lock = JSON.parse(fs.readFileSync(file, "utf8"));
const systems = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "openharmony",
  "win32",
  "aix",
  "netbsd",
  "openbsd",
  "sunos",
];
const processors = ["arm64", "x64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32"];

let added = 0;
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = platformOf(name);
    // Adds only exact versions of packages for one platform: npm itself must resolve all other packages.
    if (lock.packages[`node_modules/${name}`] || !platform || !/^\d+\.\d+\.\d+$/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = { version, ...platform, dev: entry.dev, optional: true };
    added += 1;
  }
}
const sorted = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, "en"));
if (added > 0) {
  fs.writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
say(`package-lock.json: ${added} packages for other platforms added`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = systems.find((system) => words.includes(system));
  const cpu =
    processors.find((processor) => words.includes(processor)) ?? (/-arm-/.test(name) ? "arm" : undefined);
  if (!os || !cpu) return undefined;
  const libc = /musl/.test(name) ? ["musl"] : /-gnu/.test(name) ? ["glibc"] : undefined;
  return { cpu: [cpu], os: [os], ...(libc && os === "linux" ? { libc } : {}) };
}
