/** The updates that this run plans, by URN, and the listeners that the program only reads, by id. */
import { mayRevise, type Verdict } from "../diff/changes";
import type { RecordedPlan } from "../diff/recorded";
import type { Arguments } from "../schema/recorded";

/** The plan for an update. `check` makes the plan, and `diff` completes it. */
export interface PlannedUpdate {
  /** Undefined before `diff`. The engine skips `diff` for a resource that must be replaced in any case. */
  readonly id?: string;
  /** The verdict; undefined before `diff`, and for resources that no table of changes describes. */
  readonly verdict?: Verdict | undefined;
  /** Whether an argument or the engine asks for a replacement. */
  readonly isReplaced: boolean;
  /** Whether a replacement deletes the old resource first. */
  readonly deletesFirst: boolean;
  /** The settings that the resource has after the update. */
  readonly settings?: Arguments | undefined;
  /** The recorded plan, for a replacement's second `check`, which gets no old inputs. */
  readonly recorded?: RecordedPlan | undefined;
}

export class PlannedUpdates extends Map<string, PlannedUpdate> {
  /** The id of the resource that the plan replaces, or may replace, under this URN. */
  predecessorOf(urn: string): string | undefined {
    const update = this.get(urn);
    return update?.isReplaced ? update.id : undefined;
  }

  /** Whether the plan certainly replaces the resource that has this id. */
  replaces(id: unknown): boolean {
    return this.#isPlanned(id, ({ isReplaced, verdict }) => isReplaced && verdict !== "mayReplace");
  }

  /** Whether the plan makes, or may make, a revision of the deployment with this id. */
  revises(id: unknown): boolean {
    return this.#isPlanned(id, ({ verdict }) => mayRevise(verdict));
  }

  #isPlanned(id: unknown, is: (update: PlannedUpdate) => boolean): boolean {
    return [...this.values()].some((update) => update.id === id && is(update));
  }
}
