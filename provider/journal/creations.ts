/** The journal of creations. An entry is closed by the id in the state, which is remembered for longer than the entry. */
import type { Entry } from "./entry";
import { Journal } from "./journal";

export class CreationJournal extends Journal {
  protected readonly subject = "creation";
  protected readonly withoutIt =
    "a creation that is interrupted now is guarded only by the look-up of its name";
  /** Making a deployment twice is the worst mistake: every creation reads its own file. */
  protected readonly looksBeyondListing = true;

  isSettledBy(): boolean {
    return true;
  }

  /** The engine, which has written the state after each step, was told these: they are in the state, unless a write failed. */
  noteSaved(): void {
    try {
      this.madeIds.noteSaved(this.reportedEntries);
    } catch {
      // What is not noted counts as interrupted.
    }
  }

  /** Whether the engine has very likely saved what the entry is about. */
  isLikelySaved({ serviceUrl, id }: Entry): boolean {
    return id !== undefined && this.madeIds.isLikelySaved(serviceUrl, id);
  }

  protected isAnswered({ id }: Entry): boolean {
    return id !== undefined;
  }

  protected isOwnKind({ kind }: Entry): boolean {
    return kind !== "update";
  }

  protected isOver({ id, serviceUrl }: Entry): boolean {
    return id !== undefined && this.madeIds.wasClosed(serviceUrl, id);
  }

  protected isIn(): boolean {
    return true;
  }

  protected override closing(entries: readonly Entry[]): void {
    this.madeIds.remember(entries);
  }
}
