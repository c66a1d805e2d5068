/** Keeps the registration of a resource fast: the SDK records many error stacks for each one. */

export interface Stacks {
  /** Adds the place of the resource's declaration to an error without a stack. */
  locate(error: unknown): unknown;
  restore(): void;
}

/**
 * Stops errors from recording stacks until `restore`, which must follow in the same turn.
 *
 * For each property of a resource, the SDK creates an error only for its stack, to find promises that never settle. With
 * TypeScript's source maps this takes longer than the rest of the program. `PULUMI_DEBUG_PROMISE_LEAKS` turns that search on,
 * and then stacks are recorded. The SDK still records where the resource is declared, and raises the limit itself for that.
 * It finds the place by counting constructors and expects one of ours, so each class calls this around its own `super`.
 */
export function withoutStacks(): Stacks {
  const limit = Error.stackTraceLimit;
  const restore = () => {
    Error.stackTraceLimit = limit;
  };
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  const locate = (error: unknown) => {
    restore();
    if (error instanceof Error && !/\n\s+at /.test(error.stack ?? "")) Error.captureStackTrace(error, locate);
    return error;
  };
  return { locate, restore };
}
