/** The rounds of one stack: declares, plans, refuses, applies and judges, for all its slots at once. */
import type { Emulator } from "../../sdk/emulator/index";
import { judge } from "../../sdk/report/judge/judge";
import { resultOf } from "../../sdk/report/judge/result";
import type { Report } from "../../sdk/report/model";
import { eventsIn } from "../../sdk/report/read/events";
import { linesIn } from "../../sdk/report/read/heard";
import { type Preview, previewIn } from "../../sdk/report/read/preview";
import { isPlugin } from "../support/engine/form";
import type { Agreement } from "./agreeing";
import { type Ask, argumentsOf, forcedIn, possible } from "./asks";
import { atRest } from "./edits";
import { FOREIGN, type Hand, lend } from "./hands";
import { leaksIn, withoutDebugEvents } from "./leaks";
import { isUnplanned, missesOf, type Seen, type Update } from "./oracle";
import type { Project } from "./project";
import { errorsIn, failedIn, refusedIn, slotOf, wayOutIn } from "./refusals";
import { type Slot, urnOf } from "./slots";
import type { ProfileName } from "./values";

interface Planned {
  readonly preview: Preview;
  readonly report: Report;
  readonly text: string;
  /** The slots and requests that were not refused, and the numbers of the refused slots. */
  readonly slots: readonly Slot[];
  readonly asks: Asks;
  readonly refused: ReadonlySet<number>;
}

type Up = Awaited<ReturnType<Project["up"]>>;
type Hands = readonly (Hand | undefined)[];
type Asks = readonly (Ask | undefined)[];
type Misser = (slot: number, words: string) => void;

/** The engine goes on with other resources if one fails. */
const GO_ON = "--continue-on-error";
/** Maximum number of ups until one succeeds, each following the errors of the one before. */
const LONGEST_WAY = 3;

export class Rounds {
  /** The slots that were last applied. */
  slots: readonly Slot[] = [];
  readonly #misses: string[] = [];
  readonly #verdicts: { [verdict: string]: number } = {};
  readonly #installed = new Set<string>();
  #foreign: ReadonlySet<string> = new Set();
  #updates = 0;
  #round = 0;

  constructor(
    readonly profile: ProfileName,
    readonly emulator: Emulator,
    readonly project: Project,
    readonly label: string,
  ) {}

  get agreement(): Agreement {
    return { updates: this.#updates, verdicts: this.#verdicts, misses: this.#misses };
  }

  async begin(slots: readonly Slot[]): Promise<void> {
    this.#declare(slots);
    const { failed, text } = await this.project.up(GO_ON);
    if (failed) throw new Error(`${this.label}: nothing could be created\n${text}`);
    this.slots = slots;
  }

  /** Runs one round; returns whether the stack can go on. */
  async round(edited: readonly Slot[], hands: Hands = [], drawn: Asks = []): Promise<boolean> {
    this.#round += 1;
    const asks = edited.map((slot, index) => possible(drawn[index], this.#old(index), slot));
    const miss = this.#misser(edited, hands, asks);
    await this.#lendBefore(hands);
    const planned = await this.#plan(edited, asks);
    if (planned === undefined) return false;
    this.#count(planned, edited, asks);
    this.#lend(hands, "meanwhile");
    const { update, up } = await this.#applied(planned);
    const failing = up.failed ? failedIn(up.events) : new Set<number>();
    if (up.failed && failing.size === 0)
      throw new Error(`${this.label}: failed, and nobody says what:\n${up.text}`);
    for (const { name, words } of missesOf(update))
      if (!failing.has(slotOf(name))) miss(slotOf(name), `${name}: ${words}`);
    for (const { secret, words } of leaksIn(this.#shown(planned, update, up))) {
      const isIn = (slot: Slot) => JSON.stringify(slot).includes(secret);
      miss(
        [edited, this.slots].map((slots) => slots.findIndex(isIn)).find((index) => index >= 0) ?? 0,
        words,
      );
    }
    const unplanned = new Set(planned.report.deployments.filter(isUnplanned).map(({ name }) => slotOf(name)));
    for (const index of failing)
      if (!unplanned.has(index))
        miss(index, `the plan was not refused, but its up failed:\n${errorsIn(up.text)}`);
    return this.#settled(planned, failing, edited, asks, miss);
  }

  async #applied({ preview, report, slots, asks }: Planned): Promise<{ update: Update; up: Up }> {
    const before = await this.#seen();
    this.emulator.requests.length = 0;
    const up = await this.project.up(GO_ON, ...argumentsOf(asks, slots, this.slots));
    const update = {
      profile: this.profile,
      preview,
      report,
      result: resultOf(report, eventsIn(up.events, "the events")),
      lines: linesIn(preview),
      before,
      after: await this.#seen(),
      foreign: this.#foreign,
      written: writtenTo(this.emulator),
    };
    return { update, up };
  }

  /** The texts in which no secret may appear. */
  #shown({ text, report }: Planned, { result }: Update, up: Up): { readonly [place: string]: string } {
    return {
      preview: text,
      report: JSON.stringify([report, result]),
      up: up.text,
      events: withoutDebugEvents(up.events),
      state: this.project.state(),
    };
  }

  /** Whether the stack matches its slots. Failed changes were rolled back there. */
  async #settled(
    planned: Planned,
    failing: ReadonlySet<number>,
    edited: readonly Slot[],
    asks: Asks,
    miss: Misser,
  ) {
    const olds = this.slots;
    this.slots = planned.slots.map((slot, index) =>
      failing.has(index) || planned.asks[index]?.how === "leave out" ? atRest(olds[index] as Slot) : slot,
    );
    await this.#taint(
      planned.asks.map((ask, index) => (failing.has(index) ? ask : undefined)),
      "untaint",
    );
    if (failing.size > 0 && !(await this.#restored(miss))) return false;
    // The plan without the edits may have undone a change by another hand, and that change may have caused the refusal.
    const moved = planned.report.deployments.filter(({ verdict }) => verdict !== "unchanged");
    const refused = new Set(planned.refused);
    for (const { name } of moved) refused.delete(slotOf(name));
    return this.#provenRefusals(refused, edited, asks, miss);
  }

  #misser(edited: readonly Slot[], hands: Hands, asks: Asks): Misser {
    const olds = this.slots;
    return (index, words) => {
      const [before, after] = [olds[index], edited[index]];
      const shown = { profile: this.profile, before, after, hand: hands[index], ask: asks[index] };
      const place = `${this.profile}, ${this.label}, round ${this.#round}, slot ${index}`;
      this.#misses.push(
        `${place}: ${words}\n  ${isPlugin ? "FORM=plugin " : ""}AGREEMENT_CASE='${JSON.stringify(shown)}'`,
      );
    };
  }

  /**
   * The plan without refused slots: the engine stops at the first refusal, so they are removed in turn. Undefined if
   * that is not enough.
   */
  async #plan(edited: readonly Slot[], drawn: Asks): Promise<Planned | undefined> {
    const refused = new Set<number>();
    await this.#taint(drawn);
    for (;;) {
      const slots = edited.map((slot, index) => (refused.has(index) ? this.#old(index) : slot));
      const asks = drawn.map((ask, index) =>
        refused.has(index) && ask?.how !== "leave out" ? undefined : ask,
      );
      this.#declare(slots);
      const options = argumentsOf(asks, slots, this.slots);
      const { stdout, text } = await this.project.run("preview", "--json", "--show-sames", ...options);
      const preview = previewIn(stdout, "preview");
      const report = judge(preview);
      const all = refusedIn(preview, report);
      const culprits = all.filter((index) => !refused.has(index));
      if (culprits.length === 0 && report.failure === null)
        return { preview, report, text, slots, asks, refused };
      // Another person's change is refused without the edit too, because the program forbids undoing it.
      if (culprits.length === 0 && all.length > 0) return undefined;
      if (culprits.length === 0)
        throw new Error(`${this.label}: refused, and nobody says what:\n${errorsIn(text)}`);
      await this.#taint(
        asks.map((ask, index) => (culprits.includes(index) ? ask : undefined)),
        "untaint",
      );
      for (const index of culprits) refused.add(index);
    }
  }

  async #taint(asks: Asks, command: "taint" | "untaint" = "taint"): Promise<void> {
    const urns = forcedIn(asks, this.slots, "taint");
    // A resource that has been deleted or replaced is not tainted.
    if (urns.length > 0) await this.project.run("state", command, "--yes", ...urns);
  }

  /** A refused plan must also fail when it is applied. */
  async #provenRefusals(
    refused: ReadonlySet<number>,
    edited: readonly Slot[],
    drawn: Asks,
    miss: Misser,
  ): Promise<boolean> {
    if (refused.size === 0) return true;
    const left = new Set(refused);
    const lost = new Set<number>();
    while (left.size > 0) {
      const slots = this.slots.map((slot, index) =>
        left.has(index) ? (edited[index] as Slot) : atRest(slot),
      );
      const asks = drawn.map((ask, index) => (left.has(index) && ask?.how !== "leave out" ? ask : undefined));
      this.#declare(slots);
      await this.#taint(asks);
      // If a replacement deletes first and that is refused, the engine would wait forever for the creation.
      const isForced = asks.some((ask) => ask !== undefined);
      const options = [...(isForced ? [] : [GO_ON]), ...argumentsOf(asks, slots, this.slots)];
      const { failed, events } = await this.project.up(...options);
      await this.#taint(asks, "untaint");
      const failing = [...failedIn(events)];
      const words = failed ? "failed, and nobody says what" : "went through";
      if (failing.length === 0)
        for (const index of left) miss(index, `the plan was refused, but its up ${words}`);
      if (failing.length === 0) break;
      // The engine may stop at the first failure, or at one that failed before and cannot be undone.
      const stuck = failing.filter((index) => !left.delete(index));
      if (stuck.some((index) => lost.has(index))) return false;
      for (const index of stuck) lost.add(index);
      await this.#forget(stuck);
    }
    return this.#restored(miss);
  }

  /**
   * Goes back to the program without the refused edits. That up succeeds, if need be after the remedies that its errors
   * name; then another up sends nothing.
   */
  async #restored(miss: Misser): Promise<boolean> {
    const fail = (text: string, failing: ReadonlySet<number>): false => {
      for (const index of failing) miss(index, `the errors name no way out:\n${errorsIn(text)}`);
      if (failing.size === 0) throw new Error(`${this.label}: no way out:\n${errorsIn(text)}`);
      return false;
    };
    let slots = this.slots.map(atRest);
    for (let ups = 1; ; ups += 1) {
      this.#declare(slots);
      const { failed, text, events } = await this.project.up(GO_ON);
      if (!failed) break;
      if (ups === LONGEST_WAY) return fail(text, failedIn(events));
      const wayOut = wayOutIn(text, this.#round + ups);
      for (const command of wayOut.commands) await this.project.run(...command, "--yes");
      slots = slots.map(wayOut.edit);
    }
    this.emulator.requests.length = 0;
    const { failed, text } = await this.project.up(GO_ON);
    const writes = this.emulator.requests.filter(({ method }) => method !== "GET");
    if (failed || writes.length > 0)
      throw new Error(
        `${this.label}: an up without changes sent ${writes.length} writes:\n${errorsIn(text)}`,
      );
    this.slots = slots;
    return true;
  }

  async #forget(slots: readonly number[]): Promise<void> {
    if (slots.length === 0) return;
    await this.project.forget((name) => slots.includes(slotOf(name)));
    for (const { id, name } of this.emulator.deployments())
      if (slots.includes(slotOf(String(name)))) this.emulator.remove(id);
  }

  #count({ refused, report }: Planned, edited: readonly Slot[], asks: Asks): void {
    const isEdited = (slot: Slot, index: number) =>
      asks[index] !== undefined || JSON.stringify(slot) !== JSON.stringify(this.#old(index));
    this.#updates += edited.filter(isEdited).length;
    const verdicts = [
      ...report.deployments.map(({ verdict }) => verdict),
      ...[...refused].map(() => "refused"),
    ];
    for (const verdict of verdicts) this.#verdicts[verdict] = (this.#verdicts[verdict] ?? 0) + 1;
  }

  async #lendBefore(hands: Hands): Promise<void> {
    this.#lend(hands, "before");
    if (!hands.some((hand) => hand?.when === "before")) return;
    await this.project.must("refresh", "--yes");
    const strange = this.emulator
      .deployments()
      .filter(({ secrets }) => secrets.some(({ name }) => name === FOREIGN));
    this.#foreign = new Set(strange.map(({ id }) => id));
  }

  #lend(hands: Hands, when: Hand["when"]): void {
    const ids = this.project.ids();
    for (const [index, hand] of hands.entries())
      if (hand?.when === when) lend(hand, this.emulator, ids.get(urnOf(this.#old(index), hand.role)));
  }

  #old(index: number): Slot {
    return atRest(this.slots[index] as Slot);
  }

  #declare(slots: readonly Slot[]): void {
    // Under the contract, an operator has installed the listener.
    if (this.profile === "contract")
      for (const { listener } of slots) this.#install(listener?.args.computeId);
    this.project.declare(this.#round, slots);
  }

  #install(computeId: unknown): void {
    if (typeof computeId !== "string" || this.#installed.has(computeId)) return;
    this.#installed.add(computeId);
    this.emulator.addListener({ compute_id: computeId });
  }

  async #seen(): Promise<Seen> {
    const living = this.emulator.deployments().filter(({ status }) => status !== "AWAITING_DELETE");
    const state = await fetch(`${this.emulator.url}/_emulator/state`);
    const { listeners } = (await state.json()) as { listeners: { id: string }[] };
    return {
      deployments: new Map(living.map((each) => [each.id, each])),
      listeners: new Set(listeners.map(({ id }) => id)),
      ids: this.project.ids(),
    };
  }
}

/** Ids of the deployments that received a write. */
function writtenTo({ requests }: Emulator): Set<string> {
  const writes = requests.filter(({ method }) => method !== "GET");
  return new Set(writes.flatMap(({ path }) => /^\/v2\/deployments\/([^/?]+)/.exec(path)?.[1] ?? []));
}
