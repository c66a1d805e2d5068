/** Faults of the journal itself: which faults stop a request, and their messages. */
import { environmentName, settingName } from "../schema/naming";
import type { JournalPlace } from "./place";

/** Another run is writing an attempt for the same resource. */
export class JournalConflict extends Error {
  override readonly name = "JournalConflict";
}

/** An attempt cannot be read, so it is not known whether its request arrived. `file`: the renamed file. */
export class UnreadableAttempt extends Error {
  override readonly name = "UnreadableAttempt";

  constructor(file: string, reason: string) {
    super(
      `the journal's file ${file} could not be read (${reason}), so it was put aside and nothing was sent. Run \`pulumi refresh\`, then up again`,
    );
  }
}

const WAY_OUT = `Set ${settingName("journal")} (or ${environmentName("journal")}) to a folder of your own that can be written`;

/** How an interrupted request is still protected if the journal cannot be used. */
const WITHOUT_IT =
  "a creation that is interrupted now is guarded only by the look-up of its name, and an update may be sent again";

export class Faults {
  readonly #place: JournalPlace;
  readonly #tell: (words: string) => Promise<void>;
  #warned = false;

  constructor(place: JournalPlace, tell: (words: string) => Promise<void>) {
    this.#place = place;
    this.#tell = tell;
  }

  /**
   * Writes to the journal. A failure only causes a warning, unless another run has the attempt, or the journal is the
   * only possible record of a request.
   */
  async guarded(write: () => Promise<void>, isRequest = false): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      // If the link to a new file fails, the error names this file as the destination.
      const fault = error as NodeJS.ErrnoException & { readonly dest?: string };
      if (fault.code === "EEXIST" && fault.dest !== undefined)
        throw new JournalConflict(`another run has just created ${fault.dest}`);
      if (isRequest && this.#place.isOnlyTrace === true) throw this.#refusal(fault);
      await this.warn(fault);
    }
  }

  /** Warns, but only once. */
  async warn(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const words = `${this.#fault(error as NodeJS.ErrnoException)}: ${WITHOUT_IT}. ${WAY_OUT}, or to off`;
    await this.#tell(words).catch(() => undefined);
  }

  #refusal(error: NodeJS.ErrnoException): Error {
    return new Error(
      `${this.#fault(error)}, and with PULUMI_SKIP_CHECKPOINTS nothing else would record the request, so it was not sent. ${WAY_OUT}, or unset PULUMI_SKIP_CHECKPOINTS`,
    );
  }

  #fault({ code, message, path: place }: NodeJS.ErrnoException): string {
    const words = code === undefined ? message : `${code} at ${place ?? this.#place.folder}`;
    return `the journal cannot be used (${words})`;
  }
}
