/** The process that the engine started for our resources. The process has one run and ends with its engine. */
import { type Clock, systemClock } from "../client/clock";
import { RefusedError } from "../failure";
import type { ConfigurationSource } from "../run/configuration";
import { EngineRun } from "../run/run";
import { type EngineMessages, engineReporter, isEngineAddress } from "./engine";
import { EngineWatch } from "./engineWatch";

/** The longest wait for answers. The process must end within a second after its engine ends. */
const LAST_ANSWERS_MS = 400;
const POLL_MS = 20;

export class Process {
  readonly #address: string | undefined;
  readonly #messages: () => EngineMessages;
  #configuration: ConfigurationSource = () => undefined;
  #environment = process.env;
  #run: EngineRun | undefined;
  #watch: EngineWatch | undefined;
  readonly #cancelled = new AbortController();

  /** Without an engine's address, messages go to standard error and no engine is watched. */
  constructor(address: string | undefined, messages: () => EngineMessages) {
    this.#address = address;
    this.#messages = messages;
  }

  get run(): EngineRun {
    this.#run ??= this.#newRun();
    return this.#run;
  }

  configure(source: ConfigurationSource, environment = process.env): void {
    this.#configuration = source;
    this.#environment = environment;
    this.watch();
  }

  /** Ends every wait at once. The next run resumes the requests that the journal has. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** Makes the process end with its engine, even if the engine never calls a method. */
  watch(): EngineWatch | undefined {
    if (isEngineAddress(this.#address))
      this.#watch ??= new EngineWatch(this.#address, async () => {
        await lastAnswers(this.#run?.journal);
        process.exit(1);
      });
    return this.#watch;
  }

  #newRun(): EngineRun {
    const source: ConfigurationSource = Object.assign((key: string) => this.#configuration(key), {
      isSecret: (key: string) => this.#configuration.isSecret?.(key) === true,
    });
    const reporter = engineReporter(this.#address, this.#messages);
    const clock = clockUntil(this.#cancelled.signal);
    const watch = this.watch();
    const gate = watch === undefined ? undefined : (method: string) => watch.gate(method);
    const engine = watch && this.#address;
    const run = new EngineRun(source, reporter, clock, gate, this.#environment, engine);
    if (watch === undefined) return run;
    // The engine sends SIGINT (SIGBREAK on Windows) when it ends, or when the user interrupts it twice.
    for (const signal of ["SIGINT", "SIGBREAK"]) process.once(signal, () => process.exit(0));
    return run;
  }
}

/** The system's clock. Once the run is cancelled, every sleep ends and throws. */
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

/** Lets the journal note the last answers after the engine is gone. Waits only briefly, and sends nothing. */
export async function lastAnswers(
  journal: { readonly awaitsAnswers: boolean } | undefined,
  clock: Clock = systemClock,
): Promise<void> {
  const deadline = clock.now() + LAST_ANSWERS_MS;
  while (journal?.awaitsAnswers && clock.now() < deadline) await clock.sleep(POLL_MS);
}
