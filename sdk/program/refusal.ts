/** What stops a program: one sentence, which the engine shows without a stack. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The error to throw. It has no stack of its own: nobody is shown it, but the SDK renders it for its trace, in colours,
 * and on its own frames (`node_modules/@pulumi/resource.ts`, as its source maps name them) Node fills all of its
 * longest string before it gives up. That took ten seconds and more.
 */
export function refusal(words: string): pulumi.RunError {
  const error = new pulumi.RunError(words);
  error.stack = words;
  return error;
}
