/** What keeps the registration of a resource from costing more than the resource. */

export interface Stacks {
  /** The error, with the place where the resource is declared if it has no stack of its own. */
  placed(error: unknown): unknown;
  restore(): void;
}

/**
 * Stops errors from noting their stacks until they are restored, in the same turn.
 *
 * While a resource is registered, the SDK makes an error for each of its properties, only to note where that was: it uses
 * these to search for promises that never end. With the source maps of TypeScript this takes longer than the rest of the
 * program. `PULUMI_DEBUG_PROMISE_LEAKS` turns that search on, and then the stacks are kept. The SDK still notes where the
 * resource is declared: for that it raises the limit itself. It finds the place by counting constructors, of which it
 * expects one of ours; so each class does this around its own `super`, and no base class can.
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
