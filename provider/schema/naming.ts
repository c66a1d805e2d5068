/** The name of the product, and the names derived from it. */

/** The namespace of the configuration, the module of the type tokens, and the name of the command. */
export const NAME = "deployment-control";

/** The npm package. The engine loads the provider from the package in the program's folder. */
export const PACKAGE = `pulumi-${NAME}`;

/** The beginning of a command line. Without `--no-install`, npm would fetch any package that has the command's name. */
export const COMMAND = `npx --no-install ${NAME}`;

/** Prefixes of our type tokens, in the dynamic form and in the plugin form. */
const TYPES = `pulumi-nodejs:dynamic/${NAME}:`;
const PLUGIN_TYPES = `${NAME}:index:`;

/** `Deployment` -> `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const typeToken = (resource: string): string => TYPES + resource;

/** `Deployment` -> `deployment-control:index:Deployment`. For a look-up's name, returns its function token. */
export const pluginTypeToken = (resource: string): string => PLUGIN_TYPES + resource;

/** `SmokeTest` -> `smokeTest`: the name of the export that a dynamic resource's state refers to as its provider. */
export const providerName = (resource: string): string =>
  resource.charAt(0).toLowerCase() + resource.slice(1);

/** The URN that a resource of the plugin form gets in the dynamic form, if its parents move too. */
export const inDynamicForm = (urn: string): string => urn.replaceAll(PLUGIN_TYPES, TYPES);

/** The resource's name, such as `Deployment`, from its type token; undefined for another package's type. */
export function resourceOfType(type: string): string | undefined {
  const beginning = [TYPES, PLUGIN_TYPES].find((each) => type.startsWith(each));
  return beginning === undefined ? undefined : type.slice(beginning.length);
}

/** `baseUrl` -> `deployment-control:baseUrl`. */
export const settingName = (key: string): string => `${NAME}:${key}`;

/** `baseUrl` -> `DEPLOYMENT_CONTROL_BASE_URL`. */
export const environmentName = (key: string): string =>
  `${NAME}_${key.replace(/([A-Z])/g, "_$1")}`.replace("-", "_").toUpperCase();

/** A URN is `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. The name may contain "::". */
const partsOf = (urn: string): string[] => urn.split("::");

export const nameIn = (urn: string): string => partsOf(urn).slice(3).join("::");

export const projectIn = (urn: string): string => partsOf(urn)[1] ?? "";

/** The resource's type, without the types of its parents. */
export const typeIn = (urn: string): string => (partsOf(urn)[2] ?? "").split("$").at(-1) as string;

/**
 * Whether the engine made the provider itself. The engine names its providers `default`, followed by a version and an
 * address (`default_1_2_3`). A program may also declare a provider with the name `default`.
 */
export const isEnginesProvider = (name: string, version: unknown): boolean =>
  /^default(_\d+_\d+_\d+(_.*)?|_\w+_\/.*)?$/.test(name) && (name !== "default" || version === undefined);

/** Returns `project/stack`; undefined if the string is not a URN. */
export function stackOf(urn: string): string | undefined {
  const [stack, project] = partsOf(urn);
  return project === undefined ? undefined : `${project}/${(stack as string).slice("urn:pulumi:".length)}`;
}
