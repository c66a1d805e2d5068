/** The process that the engine has started for our resources, in either form: it has one run, and ends with its engine. */
import { type Clock, systemClock } from "../client/clock";
import { RefusedError } from "../failure";
import type { Journal } from "../journal/journal";
import type { ConfigurationSource } from "../run/configuration";
import { EngineRun } from "../run/run";
import { type EngineMessages, engineReporter, isEngineAddress } from "./engine";
import { EngineWatch } from "./engineWatch";

/**
 * Longest wait for answers that the journal still lacks: the process must be gone within a second of its engine. The
 * next run finds out what became of a request whose answer is not noted.
 */
const LAST_ANSWERS_MS = 400;
const BETWEEN_LOOKS_MS = 20;

export class Process {
  readonly #address: string | undefined;
  readonly #messages: () => EngineMessages;
  #configuration: ConfigurationSource = () => undefined;
  #environment = process.env;
  #run: EngineRun | undefined;
  #watch: EngineWatch | undefined;
  readonly #cancelled = new AbortController();

  /** Without an engine's address, words go to standard error and no engine is watched. */
  constructor(address: string | undefined, messages: () => EngineMessages) {
    this.#address = address;
    this.#messages = messages;
  }

  get run(): EngineRun {
    this.#run ??= this.#begun();
    return this.#run;
  }

  configure(source: ConfigurationSource, environment = process.env): void {
    this.#configuration = source;
    this.#environment = environment;
    this.watch();
  }

  /** Ends every wait at once: the journal keeps all requests, and the next run resumes. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** From now on the process ends with its engine, even if that never calls anything. */
  watch(): EngineWatch | undefined {
    if (isEngineAddress(this.#address))
      this.#watch ??= new EngineWatch(this.#address, async () => {
        await lastAnswers(this.#run?.journals ?? []);
        process.exit(1);
      });
    return this.#watch;
  }

  #begun(): EngineRun {
    const source: ConfigurationSource = (key) => this.#configuration(key);
    const reporter = engineReporter(this.#address, this.#messages);
    const clock = clockUntil(this.#cancelled.signal);
    const watch = this.watch();
    const gate = watch === undefined ? undefined : (method: string) => watch.gate(method);
    const run = new EngineRun(source, reporter, clock, gate, this.#environment, this.#address);
    if (watch === undefined) return run;
    // The engine stops its plugins with this signal: at its end, or in the middle of a call when it is stopped twice.
    process.once("SIGINT", () => {
      try {
        run.ended();
      } finally {
        process.exit(0);
      }
    });
    return run;
  }
}

/** The system's clock, whose sleeps end and throw once the run is cancelled. */
function clockUntil(cancelled: AbortSignal): Clock {
  return {
    ...systemClock,
    async sleep(milliseconds, waking) {
      const either = waking === undefined ? cancelled : AbortSignal.any([waking, cancelled]);
      if (!cancelled.aborted) await systemClock.sleep(milliseconds, either);
      if (cancelled.aborted) throw new RefusedError("the run was cancelled.");
    },
  };
}

/** Once the engine is gone, waits a moment for answers to note; nothing more is sent. */
export async function lastAnswers(
  journals: readonly Pick<Journal, "awaitsAnswers">[],
  clock: Clock = systemClock,
): Promise<void> {
  const over = clock.now() + LAST_ANSWERS_MS;
  while (journals.some((journal) => journal.awaitsAnswers) && clock.now() < over)
    await clock.sleep(BETWEEN_LOOKS_MS);
}
