/** Everything that depends on the package's publisher, derived from `repository.url` of package.json. */
import manifest from "../../package.json";

/** `git+https://HOST/ORGANIZATION/NAME.git` -> `https://HOST/ORGANIZATION/NAME`. */
const REPOSITORY = manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** The organization of the repository. */
const PUBLISHER = new URL(REPOSITORY).pathname.split("/")[1] as string;

const { host, pathname } = new URL(REPOSITORY);

/** The members of the schema that are derived from the repository. */
export const PUBLICATION = {
  homepage: REPOSITORY,
  repository: REPOSITORY,
  publisher: PUBLISHER,
  logoUrl: `${REPOSITORY}/raw/main/docs/logo.png`,
  // The engine installs the plugin from the archives of the repository's release.
  pluginDownloadURL: `github://api.${host}${pathname}`,
};

/** The module of the generated package for Go, in the folder `sdk/go` of the repository. */
export const goModule = (name: string): string => `${host}${pathname}/sdk/go/${name}`;

/** `example-org` -> `ExampleOrg`, in the style of C# namespaces. */
export const NAMESPACE = PUBLISHER.split(/[^A-Za-z0-9]+/)
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  .join("");

/** `github.example.com`, `example` -> `com.example.github.example`: the group of a package for Java. */
export const JAVA_PACKAGE = [...host.split(".").reverse(), PUBLISHER]
  .map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, "_"))
  .join(".");

/** The contents of package.json, with the members that follow from `repository.url`. */
export function manifestText(): string {
  const publication = {
    homepage: `${REPOSITORY}#readme`,
    bugs: `${REPOSITORY}/issues`,
    author: { name: PUBLISHER, url: REPOSITORY.slice(0, REPOSITORY.lastIndexOf("/")) },
  };
  return `${JSON.stringify({ ...manifest, ...publication }, undefined, 2)}\n`;
}
