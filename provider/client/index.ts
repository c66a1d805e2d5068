/** The HTTP client, for scripts: it needs no Pulumi. */

export * from "./control";
export * from "./errors";
export * from "./runtime";
