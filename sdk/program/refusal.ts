/** What stops a program: one sentence, which the engine shows without a stack. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The error to throw. Its stack is its message: the engine shows no stack, but the SDK renders one for its trace. On the
 * SDK's own frames (`node_modules/@pulumi/resource.ts`, as its source maps name them) that took Node ten seconds and
 * more, until it had filled its longest string.
 */
export function refusal(words: string): pulumi.RunError {
  const error = new pulumi.RunError(words);
  error.stack = words;
  return error;
}
