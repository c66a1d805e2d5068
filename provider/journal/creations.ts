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

  protected override closing(entry: Entry): void {
    this.madeIds.remember(entry);
  }
}
