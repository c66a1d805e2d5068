/**
 * Pulumi's schema of the provider plugin, made from the rows: `provider/schema.json`.
 *
 * The plugin returns this schema on request, and Pulumi generates the packages for all languages from it.
 */

import type { Resource } from "../../../provider/call";
import { foundRows } from "../../../provider/client/resources";
import { served } from "../../../provider/plugin";
import { type LookUp, listRows, lookUpRows } from "../../../provider/schema/lookups";
import { NAME, PACKAGE, typeToken } from "../../../provider/schema/naming";
import { goModule, JAVA_PACKAGE, NAMESPACE, PUBLICATION } from "../publisher";
import { withExample } from "./examples";
import type { Prose } from "./prose";
import { configuration, provider } from "./settings";
import { oneOfThem, type Spec, Types, token } from "./types";

const { version, description, license } = require("../../../package.json");

const DISPLAY_NAME = "Deployment Control";

/** The description of a provider that a program declares. */
const PROVIDER =
  "The connection to one service. A program that declares no provider uses the connection of the configuration; to use several services, declare a provider for each.";

export function schemaText(prose: Prose): string {
  return `${JSON.stringify(schema(prose), undefined, 2)}\n`;
}

export function schema(prose: Prose): Spec {
  const types = new Types(prose);
  const resources = named(Object.keys(served.resources), (name) => resource(name, types, prose));
  const functions = named(Object.keys(served.functions) as LookUp[], (name) => lookUp(name, types, prose));
  return {
    name: NAME,
    displayName: DISPLAY_NAME,
    version,
    description: `${DISPLAY_NAME}: ${description}`,
    keywords: ["pulumi", "category/infrastructure", "kind/native", "deployment", "revision", "agent"],
    license,
    ...PUBLICATION,
    // With this flag, a generated package gets its version and build files, as with `pulumi package add`.
    meta: { supportPack: true },
    config: configuration(types, prose),
    provider: { ...provider(types, prose), description: PROVIDER },
    types: types.specs,
    resources,
    functions,
    language: languages(),
  };
}

const named = <N extends string>(names: readonly N[], spec: (name: N) => Spec): Spec =>
  Object.fromEntries(names.map((name) => [token(name), spec(name)]));

function resource(name: string, types: Types, prose: Prose): Spec {
  const { rows, outputRows } = served.resources[name] as Resource;
  const argumentTypes = types.given(name, rows);
  const { properties, required } = types.answered(name, { ...rows, ...outputRows });
  return {
    description: withExample(name, prose.ofExport(name)),
    inputProperties: argumentTypes.properties,
    requiredInputs: argumentTypes.required,
    properties,
    required,
    ...listInputs(name, types),
    // This alias is the resource's type in the dynamic form, so that a stack can move to the plugin.
    aliases: [{ type: typeToken(name) }],
  };
}

/** Pulumi can list the resources of a type only if the schema has list inputs for it. */
function listInputs(name: string, types: Types): Spec {
  if (served.lists[name] === undefined) return {};
  const rows = listRows[name as keyof typeof listRows];
  return { listInputs: { type: "object", ...types.given(name, rows) } };
}

function lookUp(name: LookUp, types: Types, prose: Prose): Spec {
  const list = (served.functions[name] as { name: string }).name;
  const one = oneOfThem(list);
  const root = one.charAt(0).toUpperCase() + one.slice(1);
  const entryName = `Found${root}`;
  const items = types.object(entryName, prose.ofExport(entryName), root, foundRows[name]);
  const description = prose.ofExport(name);
  const what = description.split("\n\n")[0];
  return {
    description: withExample(name, description),
    inputs: { type: "object", ...types.given(root, lookUpRows[name]) },
    outputs: {
      type: "object",
      properties: { [list]: { description: what, type: "array", items } },
      required: [list],
    },
  };
}

/** The names of the generated packages. The name without `-sdk` belongs to the project's own npm package. */
function languages(): Spec {
  const respectSchemaVersion = true;
  return {
    nodejs: { packageName: `${PACKAGE}-sdk`, respectSchemaVersion },
    python: {
      packageName: PACKAGE.replaceAll("-", "_"),
      inputTypes: "classes-and-dicts",
      pyproject: { enabled: true },
      respectSchemaVersion,
    },
    go: {
      importBasePath: goModule(NAME.replaceAll("-", "")),
      generateResourceContainerTypes: true,
      respectSchemaVersion,
    },
    csharp: { rootNamespace: NAMESPACE, namespaces: { [NAME]: "DeploymentControl" }, respectSchemaVersion },
    java: { basePackage: JAVA_PACKAGE, buildFiles: "gradle" },
  };
}
