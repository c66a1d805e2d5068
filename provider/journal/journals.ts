/** The two journals: one of creations, and one of updates that make or may make a revision. */
import type { State } from "../schema/recorded";
import type { Entry } from "./entry";
import { Journal } from "./journal";

/** Closes an entry when the state has the entry's id. */
export class CreationJournal extends Journal {
  protected readonly operation = "creation";

  isSettledBy(): boolean {
    return true;
  }

  protected isOver(): boolean {
    return false;
  }

  protected isIn(): boolean {
    return true;
  }
}

/** Closes an entry when the state has the entry's generation. */
export class UpdateJournal extends Journal {
  protected readonly operation = "update";

  /** While an update is in doubt, the outputs do not record what was sent. */
  isSettledBy({ uncertainSince }: State): boolean {
    return uncertainSince === undefined;
  }

  protected isOver(_entry: Entry, isReported: boolean): boolean {
    return isReported;
  }

  /**
   * An entry without a generation belongs to an update that only makes a revision again. The state has that update's
   * result if the state names a new revision, or if the service's answer names no new revision.
   */
  protected isIn(state: State, { generation, answer, known }: Entry): boolean {
    if (!this.isSettledBy(state)) return false;
    const { revisionGeneration, latestRevisionId } = state;
    if (generation !== undefined) return Number(revisionGeneration) >= generation;
    const isNew = (revision: unknown) => typeof revision === "string" && !known.includes(revision);
    return answer !== undefined && (!isNew(answer) || isNew(latestRevisionId));
  }
}
