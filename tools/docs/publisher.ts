/** Everything that depends on the package's publisher. All of it comes from `repository.url` of package.json. */
import manifest from "../../package.json";

/** `git+https://HOST/ORGANIZATION/NAME.git` -> `https://HOST/ORGANIZATION/NAME`. */
export const REPOSITORY = manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** The organization of the repository. */
export const PUBLISHER = new URL(REPOSITORY).pathname.split("/")[1] as string;

/** The text of package.json, with the members that follow from the repository. */
export function manifestText(): string {
  const publication = {
    homepage: `${REPOSITORY}#readme`,
    bugs: `${REPOSITORY}/issues`,
    author: { name: PUBLISHER, url: REPOSITORY.slice(0, REPOSITORY.lastIndexOf("/")) },
  };
  return `${JSON.stringify({ ...manifest, ...publication }, undefined, 2)}\n`;
}
