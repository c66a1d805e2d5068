/** Stops a program with one sentence, which the engine shows without a stack. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The error to throw. Its stack is its message, because the SDK renders the stack for its trace although the engine shows
 * none. For the SDK's own frames (`node_modules/@pulumi/resource.ts` in its source maps), Node took over ten seconds to
 * render them, until it reached its maximum string length.
 */
export function refusal(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}
