/** The HTTP client, for scripts: it needs no Pulumi. */
export * from "./errors";
