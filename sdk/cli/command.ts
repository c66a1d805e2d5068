/** What a command of `deployment-control` is. */
export interface Command {
  /** Runs it; what it throws is shown without a stack and ends the process with 1. */
  run(args: readonly string[]): Promise<void>;
}

/** The command line cannot be understood; the message says what is allowed. */
export class BadInput extends Error {}
