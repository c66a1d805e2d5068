/** The one name of the product, and what is made of it. */

/** Namespace of the configuration, module of the type tokens, the command line. */
export const NAME = "deployment-control";

/** The npm package, from which the program's folder loads the provider. */
export const PACKAGE = `pulumi-${NAME}`;

/** Begins the type tokens of all our resources. */
export const TYPES = `pulumi-nodejs:dynamic/${NAME}:`;

/** `Deployment` -> `pulumi-nodejs:dynamic/deployment-control:Deployment`. */
export const typeToken = (resource: string): string => TYPES + resource;

/** `baseUrl` -> `deployment-control:baseUrl`. */
export const settingName = (key: string): string => `${NAME}:${key}`;

const PREFIX = `${NAME.toUpperCase().replace("-", "_")}_`;

/** `baseUrl` -> `DEPLOYMENT_CONTROL_BASE_URL`. */
export function environmentName(key: string): string {
  return `${PREFIX}${key.replace(/([A-Z])/g, "_$1").toUpperCase()}`;
}
