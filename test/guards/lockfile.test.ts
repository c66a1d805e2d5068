/** The lock file pins the bytes of what is downloaded, not just its version. */
import { readFileSync } from "node:fs";
import path from "node:path";

interface Entry {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly integrity?: string;
}

test("every package that is downloaded has its SHA-512 in the lock file", () => {
  const { packages } = JSON.parse(readFileSync(path.join(__dirname, "../../package-lock.json"), "utf8"));
  const entries = Object.entries<Entry>(packages);
  // A workspace has no folder in node_modules but a link to its own; a bundled package comes inside another one.
  const downloaded = entries.filter(
    ([place, { link, inBundle }]) => place.includes("node_modules/") && !link && !inBundle,
  );
  expect(downloaded.length).toBeGreaterThan(0);
  expect(downloaded.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
});
