/** The names of the generated packages. */
import { NAME } from "../../../provider/fields/naming";
import type { Spec } from "./types";

const pythonName = (name: string): string => name.replaceAll("-", "_");

/** `npm`: the name of our own package, which the generated one for Node must not have. */
export function languages(npm: string): Spec {
  const respectSchemaVersion = true;
  return {
    nodejs: { packageName: `${npm}-sdk`, respectSchemaVersion },
    python: {
      packageName: pythonName(npm),
      inputTypes: "classes-and-dicts",
      pyproject: { enabled: true },
      respectSchemaVersion,
    },
    go: {
      // What Pulumi itself takes for a package that has no repository.
      importBasePath: `example.com/${npm}/sdk/go/${NAME.replaceAll("-", "")}`,
      generateResourceContainerTypes: true,
      respectSchemaVersion,
    },
  };
}
