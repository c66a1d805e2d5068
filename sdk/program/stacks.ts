/** What keeps the registration of a resource from costing more than the resource. */

export interface Stacks {
  /** The error; with the place from which the resource was declared where it could not note its own. */
  placed(error: unknown): unknown;
  restore(): void;
}

/**
 * Stops errors from noting their stacks until they are restored, in the same turn. While a resource is registered, the
 * SDK makes an error for each of its properties only to note where that was, for its search for promises that never end:
 * with the source maps of TypeScript that takes longer than all the rest of the program. Whoever searches for them keeps
 * the stacks. Where a resource is declared is noted all the same: the SDK raises the limit itself for that. It counts
 * constructors to find that place, so each of ours does this around its own `super`, and no class between them can.
 */
export function withoutStacks(): Stacks {
  const limit = Error.stackTraceLimit;
  const restore = () => {
    Error.stackTraceLimit = limit;
  };
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  const placed = (error: unknown) => {
    restore();
    if (error instanceof Error && !/\n\s+at /.test(error.stack ?? "")) Error.captureStackTrace(error, placed);
    return error;
  };
  return { placed, restore };
}
