/** A stack with its services: declares slots, reads the state, and restores the stack after a failed update. */
import { type Ask, forcedIn } from "./asks";
import { atRest } from "./edits";
import type { Seen } from "./oracle";
import type { Project } from "./project";
import { errorsIn, failedIn, slotOf, wayOutIn } from "./refusals";
import type { Services } from "./services";
import type { Slot } from "./slots";

export type Asks = readonly (Ask | undefined)[];
export type Misser = (slot: number, words: string) => void;

/** The option that lets the engine continue with other resources after a failure. */
export const GO_ON = "--continue-on-error";
/**
 * `pulumi up` must succeed within this many attempts. Each attempt follows the advice in the errors of the
 * previous attempt.
 */
const LONGEST_WAY = 3;

export class Stack {
  /** The slots that were last applied. */
  slots: readonly Slot[] = [];
  /** Number of the round. */
  count = 0;

  constructor(
    readonly services: Services,
    readonly project: Project,
    readonly label: string,
  ) {}

  async declare(slots: readonly Slot[]): Promise<void> {
    this.project.declare(this.count, await this.services.prepared(slots));
  }

  async seen(): Promise<Seen> {
    const living = this.services.deployments().filter(({ status }) => status !== "AWAITING_DELETE");
    return {
      deployments: new Map(living.map((each) => [each.id, each])),
      listeners: await this.services.listeners(),
      ids: this.project.ids(),
    };
  }

  /** The slots with a deployment whose newest revision has failed. */
  unserved(): Set<number> {
    const failed = this.services
      .deployments()
      .filter(({ revisions }) => /_FAILED$/.test(revisions[0]?.status ?? ""));
    return new Set(failed.map(({ name }) => slotOf(String(name))));
  }

  old(index: number): Slot {
    return atRest(this.slots[index] as Slot);
  }

  async taint(asks: Asks, command: "taint" | "untaint" = "taint"): Promise<void> {
    const urns = forcedIn(asks, this.slots, "taint");
    // A resource that has been deleted or replaced is no longer tainted, so `pulumi state untaint` may fail.
    if (urns.length > 0) await this.project.run("state", command, "--yes", ...urns);
  }

  /**
   * Applies the program without the refused edits. If `pulumi up` fails, applies the remedies that the errors name and
   * tries again, until `pulumi up` succeeds. The next `pulumi up` must send nothing.
   */
  async restored(miss: Misser): Promise<boolean> {
    const fail = (text: string, failing: ReadonlySet<number>): false => {
      for (const index of failing) miss(index, `the errors name no way out:\n${errorsIn(text)}`);
      if (failing.size === 0) throw new Error(`${this.label}: no way out:\n${errorsIn(text)}`);
      return false;
    };
    let slots = this.slots.map(atRest);
    for (let ups = 1; ; ups += 1) {
      await this.declare(slots);
      const ran = await this.project.up(GO_ON);
      if (!ran.failed) break;
      if (ups === LONGEST_WAY) return fail(ran.text, failedIn(ran.events));
      const wayOut = wayOutIn(ran.text, this.count + ups);
      for (const command of wayOut.commands) await this.project.run(...command, "--yes");
      slots = slots.map(wayOut.edit);
    }
    this.services.writes();
    const { failed, text: quiet } = await this.project.up(GO_ON);
    const writes = this.services.writes();
    if (failed || writes.length > 0)
      throw new Error(
        `${this.label}: an up without changes sent ${writes.length} writes:\n${errorsIn(quiet)}`,
      );
    this.slots = slots;
    return true;
  }

  async forget(slots: readonly number[]): Promise<void> {
    if (slots.length === 0) return;
    await this.project.forget((name) => slots.includes(slotOf(name)));
    for (const { id, name } of this.services.deployments())
      if (slots.includes(slotOf(String(name)))) this.services.holderOf(id).remove(id);
  }
}
