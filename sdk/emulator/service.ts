/** What every part of the emulator works on. */
import type { EmulatorBehaviour } from "./behaviour";
import type { Faults } from "./faults";
import type { Store } from "./store";
import type { WireProfile } from "./wireProfile";

export interface Service {
  readonly profile: WireProfile;
  readonly store: Store;
  readonly behaviour: EmulatorBehaviour;
  readonly faults: Faults;
}

export const timestampOf = (ms: number): string => new Date(ms).toISOString();

/** The time of a change: always later than the one before, so that a change always shows. */
export function changedAt(before: string): string {
  return timestampOf(Math.max(Date.now(), Date.parse(before) + 1));
}
