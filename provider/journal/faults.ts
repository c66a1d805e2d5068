/** Faults of the journal itself: which faults stop a request, and their messages. */
import { environmentName, settingName } from "../fields/naming";
import type { Place } from "./place";
import { UntrustedError } from "./trust";

/** Another run is writing an entry about the same resource. */
export class JournalConflict extends Error {
  override readonly name = "JournalConflict";
}

/** The request was not sent, because the journal would be the request's only trace and cannot be written. */
export class JournalUnusable extends Error {
  override readonly name = "JournalUnusable";
}

const SETTING = `${settingName("journal")} (or ${environmentName("journal")})`;

/** The operation that a journal records, for messages. */
interface RecordedOperation {
  readonly name: string;
  /** How an interrupted request is still protected if the journal cannot be used. */
  readonly withoutIt: string;
}

export class Faults {
  readonly #place: Place;
  readonly #operation: () => RecordedOperation;
  readonly #tell: (words: string) => Promise<void>;
  #warned = false;

  constructor(place: Place, tell: (words: string) => Promise<void>, operation: () => RecordedOperation) {
    this.#place = place;
    this.#tell = tell;
    this.#operation = operation;
  }

  /**
   * Writes to the journal. A failure only causes a warning, unless another run has the entry or the journal is the only
   * trace.
   */
  async guarded(write: () => Promise<void>, isRequest = false): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      const fault = error as NodeJS.ErrnoException;
      if (fault.code === "EEXIST" && fault.path?.endsWith(".json"))
        throw new JournalConflict(`another run has just created ${fault.path}`);
      if (isRequest && this.#place.isOnlyTrace === true) throw new JournalUnusable(this.#refusal(fault));
      await this.warn(fault);
    }
  }

  /** Warns, but only once. */
  async warn(error: unknown): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const words = `${this.#fault(error as NodeJS.ErrnoException)}: ${this.#operation().withoutIt}. ${this.#wayOut(error)}, or to off`;
    await this.#tell(words).catch(() => undefined);
  }

  /** Warns that a power failure could damage the journal, which is used nevertheless. */
  async warnOfWeakness(weakness: string | undefined): Promise<void> {
    if (weakness === undefined) return;
    const { name, withoutIt } = this.#operation();
    const words = `after a power failure the journal of ${name}s may lack its newest entries (${weakness}): in that case ${withoutIt}. Set ${SETTING} to a folder on another disk`;
    await this.#tell(words).catch(() => undefined);
  }

  #refusal(error: NodeJS.ErrnoException): string {
    return (
      `${this.#fault(error)}, and with PULUMI_SKIP_CHECKPOINTS nothing else would record the request, so it was not sent. ` +
      `${this.#wayOut(error)}, or unset PULUMI_SKIP_CHECKPOINTS`
    );
  }

  #wayOut(error: unknown): string {
    const setting = `${SETTING} to a folder of your own that can be written`;
    return error instanceof UntrustedError && error.isAnothers
      ? `If the folder comes from a cache or a volume, run chown -R ${process.geteuid?.()} ${this.#place.folder} first; otherwise, set ${setting}`
      : `Set ${setting}`;
  }

  #fault({ code, message, path: place }: NodeJS.ErrnoException): string {
    const words = code === undefined ? message : `${code} at ${place ?? this.#place.folder}`;
    return `the journal of ${this.#operation().name}s cannot be used (${words})`;
  }
}
