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

  protected async isOver({ id, serviceUrl }: Entry): Promise<boolean> {
    return id !== undefined && this.madeIds.isClosed(serviceUrl, id);
  }

  protected async closes(entry: Entry): Promise<boolean> {
    await this.madeIds.remember(entry);
    return true;
  }

  /** The files are removed by a later run, which has the time. */
  protected closeAtOnce(over: readonly { readonly entry: Entry }[]): void {
    this.madeIds.rememberAtOnce(over.map(({ entry }) => entry));
  }
}
