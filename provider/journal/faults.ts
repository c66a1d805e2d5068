/** What goes wrong with the journal itself: whether it stops a request, and what is said of it. */
import { environmentName, settingName } from "../fields/naming";
import type { Place } from "./place";

/** Another run writes about the same resource. */
export class JournalConflict extends Error {
  override readonly name = "JournalConflict";
}

/** A request was not sent, since it could not be noted where nothing else would know of it. */
export class JournalUnusable extends Error {
  override readonly name = "JournalUnusable";
}

const SETTING = `${settingName("journal")} (or ${environmentName("journal")})`;

/** What a journal is about, in words. */
export interface Subject {
  readonly name: string;
  /** What is left to guard an interrupted request where the journal cannot be used. */
  readonly withoutIt: string;
}

export class Faults {
  readonly #place: Place;
  readonly #subject: () => Subject;
  readonly #tell: (words: string) => Promise<void>;
  #warned = false;

  constructor(place: Place, tell: (words: string) => Promise<void>, subject: () => Subject) {
    this.#place = place;
    this.#tell = tell;
    this.#subject = subject;
  }

  /** An unwritable journal must not stop anything that the state guards too; a conflict with another run must. */
  async guarded(write: () => Promise<void>, isRequest = false): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      const fault = error as NodeJS.ErrnoException;
      if (fault.code === "EEXIST" && fault.path?.endsWith(".json"))
        throw new JournalConflict(`another run has just written ${fault.path}`);
      if (isRequest && this.#place.isOnlyTrace === true) throw new JournalUnusable(this.#refusal(fault));
      await this.warn(fault);
    }
  }

  /** Warns, once for all. */
  async warn(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const words = `${this.#fault(error as NodeJS.ErrnoException)}: ${this.#subject().withoutIt}. Set ${SETTING} to a folder that can be written, or to off`;
    await this.#tell(words).catch(() => undefined);
  }

  #refusal(error: NodeJS.ErrnoException): string {
    return (
      `${this.#fault(error)}, and with PULUMI_SKIP_CHECKPOINTS nothing else would know of it: nothing was sent. ` +
      `Set ${SETTING} to a folder that can be written, or unset PULUMI_SKIP_CHECKPOINTS`
    );
  }

  #fault({ code, message, path: place }: NodeJS.ErrnoException): string {
    return `the journal of ${this.#subject().name}s cannot be used (${code ?? message} at ${place ?? this.#place.folder})`;
  }
}
