/**
 * The rounds of one stack. Each round declares and plans all slots at once, applies the slots whose plan is not
 * refused, and judges the result.
 */
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { resultOf } from "../../sdk/report/evaluate/result";
import type { Report } from "../../sdk/report/model";
import { eventsIn } from "../../sdk/report/read/events";
import { linesIn } from "../../sdk/report/read/lines";
import { type Preview, previewIn } from "../../sdk/report/read/preview";
import { isPlugin } from "../support/engine/form";
import type { Agreement } from "./agreeing";
import { argumentsOf, possible } from "./asks";
import { atRest } from "./edits";
import { type Hand, isRefreshed, lend } from "./hands";
import { leaksIn, withoutDebugEvents } from "./leaks";
import { isUnplanned, type Miss, missesOf, OLD_ONE_STAYS, type Update } from "./oracle";
import { brokeItsState, type Project } from "./project";
import {
  errorsIn,
  failedIn,
  mayCollide,
  meetsPredecessor,
  meetsRemoved,
  meetsUnknown,
  meetsVariables,
  refusedIn,
  slotOf,
} from "./refusals";
import type { Services } from "./services";
import { type Slot, urnOf } from "./slots";
import { type Asks, GO_ON, type Misser, Stack } from "./stack";

/**
 * The preview command of the recipes. Without `--show-replacement-steps`, the preview may lack the deletion of a
 * resource that the engine deletes together with another resource.
 */
const PREVIEW = ["preview", "--json", "--show-sames", "--show-replacement-steps"];

interface Planned {
  readonly preview: Preview;
  readonly report: Report;
  readonly text: string;
  /** The planned slots; a refused slot has its previous form. `refused`: the numbers of the refused slots. */
  readonly slots: readonly Slot[];
  readonly asks: Asks;
  readonly refused: ReadonlySet<number>;
}

type Up = Awaited<ReturnType<Project["up"]>>;
type Hands = readonly (Hand | undefined)[];
/** The numbers of the slots that the plan refused, and the numbers of the slots that failed in `pulumi up`. */
export interface Ended {
  readonly refused: ReadonlySet<number>;
  readonly failing: ReadonlySet<number>;
}
/** The slots that failed in `pulumi up`, and the slots whose newest revision failed. */
interface Failures {
  readonly failing: ReadonlySet<number>;
  readonly unserved: ReadonlySet<number>;
}

export class Rounds extends Stack {
  readonly #misses: string[] = [];
  readonly #verdicts: { [verdict: string]: number } = {};
  #updates = 0;

  get agreement(): Agreement {
    return { updates: this.#updates, verdicts: this.#verdicts, misses: this.#misses };
  }

  async begin(slots: readonly Slot[]): Promise<void> {
    await this.declare(slots);
    const { failed, text } = await this.project.up(GO_ON);
    if (failed) throw new Error(`${this.label}: nothing could be created\n${text}`);
    // Without this preview, a forced replacement in the next run is refused; see engine/replacedByEngine.test.ts.
    await this.project.run("preview");
    this.slots = slots;
  }

  /**
   * Runs one round, and returns whether the stack can run more rounds. `meanwhile` runs between the plan and
   * `pulumi up`.
   */
  async round(
    edited: readonly Slot[],
    hands: Hands = [],
    drawn: Asks = [],
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    this.count += 1;
    const asks = edited.map((slot, index) => possible(drawn[index], this.slots[index] as Slot, slot));
    const miss = this.misser(edited, hands, asks);
    await this.#lendBefore(hands);
    const planned = await this.#plan(edited, asks);
    if (planned === undefined) return false;
    this.#count(planned, edited, asks);
    this.#lend(hands, "meanwhile");
    await meanwhile();
    const { update, up } = await this.#applied(planned);
    // The engine stopped in the middle of the run, so the run says nothing about the plan.
    if (brokeItsState(up.text)) return false;
    const failing = up.failed ? failedIn(up.events) : new Set<number>();
    if (up.failed && failing.size === 0)
      throw new Error(`${this.label}: failed, and nobody says what:\n${up.text}`);
    const isExcused = failing.size > 0 ? excuseAfterFailure(update) : () => false;
    for (const each of missesOf(update)) {
      const slot = slotOf(each.name);
      if (!failing.has(slot) && !isExcused(each)) miss(slot, `${each.name}: ${each.words}`);
    }
    this.judged(update, { refused: planned.refused, failing }, miss);
    for (const { secret, name, words } of leaksIn(this.#shown(planned, update, up))) {
      // The engine tells the provider no secrets of a resource that the command leaves out.
      if (name.startsWith("reader-") && asks[slotOf(name)]?.how === "leave out") continue;
      const isIn = (slot: Slot) => JSON.stringify(slot).includes(secret);
      const slots = [slotOf(name), ...[edited, this.slots].map((each) => each.findIndex(isIn)), 0];
      miss(slots.find((index) => index >= 0) ?? 0, words);
    }
    const unplanned = new Set(planned.report.deployments.filter(isUnplanned).map(({ name }) => slotOf(name)));
    const unserved = this.unserved();
    for (const index of failing)
      if (
        !unplanned.has(index) &&
        !unserved.has(index) &&
        !meetsRemoved(planned.report, index, up.text) &&
        !mayCollide(planned.report, index) &&
        !meetsUnknown(edited[index] as Slot, up.text) &&
        !meetsPredecessor(edited[index] as Slot, asks[index], up.text) &&
        !meetsVariables(index, up.text)
      )
        miss(index, `the plan was not refused, but its up failed:\n${errorsIn(up.text)}`);
    return this.#settled(planned, { failing, unserved }, edited, asks, miss);
  }

  async #applied({ preview, report, slots, asks }: Planned): Promise<{ update: Update; up: Up }> {
    const before = await this.seen();
    this.services.writes();
    const up = await this.project.up(GO_ON, ...argumentsOf(asks, slots, this.slots));
    const update = {
      profile: this.services.profile,
      preview,
      report,
      result: resultOf(report, eventsIn(up.events, "the events"), preview),
      lines: linesIn(preview),
      before,
      after: await this.seen(),
      written: writtenTo(this.services),
    };
    return { update, up };
  }

  /** The outputs and documents that must not contain a secret, each under a name such as `preview`. */
  #shown({ text, report }: Planned, { result }: Update, up: Up): { readonly [place: string]: string } {
    return {
      preview: text,
      report: JSON.stringify([report, result]),
      up: up.text,
      events: withoutDebugEvents(up.events),
      state: this.project.state(),
    };
  }

  /**
   * After `pulumi up`, restores slots that can be applied; returns false if the restore fails. A slot that failed
   * returns to its previous form, unless only its revision failed.
   */
  async #settled(
    planned: Planned,
    { failing, unserved }: Failures,
    edited: readonly Slot[],
    asks: Asks,
    miss: Misser,
  ) {
    const olds = this.slots;
    this.slots = planned.slots.map((slot, index) =>
      (failing.has(index) && !unserved.has(index)) || planned.asks[index]?.how === "leave out"
        ? atRest(olds[index] as Slot)
        : slot,
    );
    await this.taint(
      planned.asks.map((ask, index) => (failing.has(index) ? ask : undefined)),
      "untaint",
    );
    if (failing.size > 0 && !(await this.restored(miss))) return false;
    // Leaves out a slot that changes even without its edits, because the slot's plan may be refused for undoing another
    // person's change.
    const changed = planned.report.deployments.filter(({ verdict }) => verdict !== "unchanged");
    const refused = new Set(planned.refused);
    for (const { name } of changed) refused.delete(slotOf(name));
    return this.#provenRefusals(refused, edited, asks, miss);
  }

  /** A hook for a suite that checks more about an update than this class does. */
  protected judged(_update: Update, _slots: Ended, _miss: Misser): void {}

  protected record(words: string): void {
    this.#misses.push(words);
  }

  protected misser(edited: readonly Slot[], hands: Hands, asks: Asks): Misser {
    const olds = this.slots;
    return (index, words) => {
      const [before, after] = [olds[index], edited[index]];
      const missCase = {
        profile: this.services.profile,
        before,
        after,
        hand: hands[index],
        ask: asks[index],
      };
      const place = `${this.services.profile}, ${this.label}, round ${this.count}, slot ${index}`;
      this.record(
        `${place}: ${words}\n  ${isPlugin ? "FORM=plugin " : ""}AGREEMENT_CASE='${JSON.stringify(missCase)}'`,
      );
    };
  }

  /**
   * Makes a plan without the refused slots; returns undefined if that plan is refused too. The engine stops at the
   * first refusal, so the slots are removed one by one.
   */
  async #plan(edited: readonly Slot[], drawn: Asks): Promise<Planned | undefined> {
    const refused = new Set<number>();
    await this.taint(drawn);
    for (;;) {
      const slots = edited.map((slot, index) => (refused.has(index) ? this.old(index) : slot));
      const asks = drawn.map((ask, index) =>
        refused.has(index) && ask?.how !== "leave out" ? undefined : ask,
      );
      await this.declare(slots);
      const options = argumentsOf(asks, slots, this.slots);
      const { stdout, text } = await this.project.run(...PREVIEW, ...options);
      const preview = previewIn(stdout, "preview");
      const report = evaluate(preview);
      const all = refusedIn(preview, report);
      const culprits = all.filter((index) => !refused.has(index));
      if (culprits.length === 0 && report.failure === null)
        return { preview, report, text, slots, asks, refused };
      // The plan is refused even without the edits, because the program forbids the revision that would undo another
      // person's change.
      if (culprits.length === 0 && all.length > 0) return undefined;
      if (culprits.length === 0)
        throw new Error(`${this.label}: refused, and nobody says what:\n${errorsIn(text)}`);
      await this.taint(
        asks.map((ask, index) => (culprits.includes(index) ? ask : undefined)),
        "untaint",
      );
      for (const index of culprits) refused.add(index);
    }
  }

  /** Applies the refused slots: `pulumi up` must fail for each of them. */
  async #provenRefusals(
    refused: ReadonlySet<number>,
    edited: readonly Slot[],
    drawn: Asks,
    miss: Misser,
  ): Promise<boolean> {
    if (refused.size === 0) return true;
    const stillRefused = new Set(refused);
    const removed = new Set<number>();
    while (stillRefused.size > 0) {
      const slots = this.slots.map((slot, index) =>
        stillRefused.has(index) ? (edited[index] as Slot) : atRest(slot),
      );
      const asks = drawn.map((ask, index) =>
        stillRefused.has(index) && ask?.how !== "leave out" ? ask : undefined,
      );
      await this.declare(slots);
      await this.taint(asks);
      // With `--continue-on-error`, the engine waits forever if a replacement deletes first and the deletion is
      // refused.
      const isForced = asks.some((ask) => ask !== undefined);
      const options = [...(isForced ? [] : [GO_ON]), ...argumentsOf(asks, slots, this.slots)];
      const { failed, events } = await this.project.up(...options);
      await this.taint(asks, "untaint");
      const failing = [...failedIn(events)];
      const words = failed ? "failed, and no error names the slot" : "went through";
      if (failing.length === 0)
        for (const index of stillRefused)
          if (!isNameUnknown(edited[index] as Slot)) miss(index, `the plan was refused, but its up ${words}`);
      if (failing.length === 0) break;
      // A slot whose plan was not refused also fails if an earlier failure of the slot cannot be undone.
      const stuck = failing.filter((index) => !stillRefused.delete(index));
      if (stuck.some((index) => removed.has(index))) return false;
      for (const index of stuck) removed.add(index);
      await this.forget(stuck);
    }
    return this.restored(miss);
  }

  #count({ refused, report }: Planned, edited: readonly Slot[], asks: Asks): void {
    const isEdited = (slot: Slot, index: number) =>
      asks[index] !== undefined || JSON.stringify(slot) !== JSON.stringify(this.old(index));
    this.#updates += edited.filter(isEdited).length;
    const verdicts = [
      ...report.deployments.map(({ verdict }) => verdict),
      ...[...refused].map(() => "refused"),
    ];
    for (const verdict of verdicts) this.#verdicts[verdict] = (this.#verdicts[verdict] ?? 0) + 1;
  }

  async #lendBefore(hands: Hands): Promise<void> {
    this.#lend(hands, "before");
    if (isRefreshed(hands)) await this.project.must("refresh", "--yes");
  }

  #lend(hands: Hands, when: Hand["when"]): void {
    const ids = this.project.ids();
    for (const [index, hand] of hands.entries())
      if (hand?.when === when) lend(hand, this.services, ids.get(urnOf(this.old(index), hand.role)));
  }
}

/**
 * After a failure, the engine deletes nothing, not even a replaced deployment. It also drops the steps that it has not
 * begun, such as the creation in a replacement that deletes first. The result must not say that a dropped step was
 * applied.
 */
function excuseAfterFailure({ report, result }: Update): (miss: Miss) => boolean {
  const dropped = result.outcomes.filter(
    ({ predicted, happened }) =>
      happened === "not-applied" || (predicted === "replace" && happened === "deleted"),
  );
  const outcomes = new Set(result.outcomes.map(({ name }) => name));
  const deleted = [...report.deployments, ...report.listeners].filter(
    ({ verdict, name }) => verdict === "delete" && !outcomes.has(name),
  );
  const undone = new Set([...dropped, ...deleted].map(({ name }) => name));
  return ({ name, words }) => undone.has(name) || OLD_ONE_STAYS.test(words);
}

/**
 * Whether a name or an id to adopt in the slot is unknown until the apply. An unknown value may lead to a new revision,
 * so the plan is refused if the program forbids revisions. The update still succeeds if the value turns out to cause a
 * replacement, or an adoption that changes nothing.
 */
const isNameUnknown = (slot: Slot): boolean =>
  Object.values(slot).some(({ args }) => /"\$(unknown|from)"/.test(JSON.stringify([args.name, args.adopt])));

/** The ids of the deployments that received a write. */
const writtenTo = (services: Services): Set<string> =>
  new Set(services.writes().flatMap((path) => /^\/v2\/deployments\/([^/?]+)/.exec(path)?.[1] ?? []));
