/** The HTTP client for scripts, which works without Pulumi. */

export * from "./control";
export * from "./errors";
export * from "./runtime";
