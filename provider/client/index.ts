/** The HTTP client, for scripts: it needs no Pulumi. */
export { ConfigurationError } from "../configuration";
export * from "./control";
export * from "./errors";
