/** The embedded service: its options, faults and stored state. */
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Profile, withoutCreateRevision } from "../../provider/profiles/profiles";
import { isProperties, jsonIn } from "../../provider/schema/value";
import { behaviourRows, type EmulatorBehaviour, optionsFrom } from "./behaviour";
import { Faults } from "./faults";
import { notFound } from "./http/message";

export interface EmulatedService {
  /** The profile that the service follows. With the option `older`, the profile of an older installation. */
  readonly profile: Profile;
  readonly store: Store;
  readonly behaviour: EmulatorBehaviour;
  readonly faults: Faults;
}

/** `data`: the file for the service's state. Throws a TypeError for an unknown option. */
export function newService(
  profile: Profile,
  options: { readonly [option: string]: unknown },
  data?: string,
): EmulatedService {
  const store = new Store(profile.name, randomUUID(), data);
  const behaviour = optionsFrom(behaviourRows, options);
  const older = { ...withoutCreateRevision(profile), ...profile.older };
  return {
    get profile() {
      return behaviour.older ? older : profile;
    },
    store,
    behaviour,
    faults: new Faults(),
  };
}

export const timestampOf = (ms: number): string => new Date(ms).toISOString();

/** The time of a change: now, or 1 ms after `earlier` if the clock has not moved since then. */
export const changedAt = (earlier: string): string =>
  timestampOf(Math.max(Date.now(), Date.parse(earlier) + 1));

/** The stored entries of one resource. Each entry has a UUID. */
export class Collection<T extends { readonly id: string }> {
  constructor(
    private readonly section: string,
    /** The word for an entry in the message of a 404. */
    private readonly title: string,
  ) {}

  /** The entries, oldest first. */
  all({ store }: EmulatedService): T[] {
    return store.section<T[]>(this.section, []);
  }

  newestFirst(service: EmulatedService): T[] {
    return [...this.all(service)].reverse();
  }

  get(service: EmulatedService, id: string): T | undefined {
    return this.all(service).find((entry) => entry.id === id.toLowerCase());
  }

  /** Refuses an unknown id with 404. */
  find(service: EmulatedService, id: string): T {
    const entry = this.get(service, id);
    if (!entry) throw notFound(this.title, id);
    return entry;
  }

  add(service: EmulatedService, entry: T): T {
    this.all(service).push(entry);
    return entry;
  }

  remove(service: EmulatedService, entry: T): void {
    const entries = this.all(service);
    const place = entries.indexOf(entry);
    if (place >= 0) entries.splice(place, 1);
  }
}

/** The state, with one section for each resource. The resource's own file defines the section's shape. */
interface StoredState {
  readonly format: 1;
  readonly profile: string;
  readonly tenantId: string;
  [section: string]: unknown;
}

class Store {
  private readonly state: StoredState;

  constructor(
    profile: string,
    tenantId: string,
    private readonly file: string | undefined,
  ) {
    const storedState = file === undefined ? undefined : read(file, profile);
    this.state = storedState ?? { format: 1, profile, tenantId };
    // An unusable file is refused at the start, before a change can be lost.
    this.save();
  }

  get tenantId(): string {
    return this.state.tenantId;
  }

  /** A section of the state. Callers change the section in place. A new section gets the value `empty`. */
  section<T>(name: string, empty: T): T {
    this.state[name] ??= empty;
    return this.state[name] as T;
  }

  /** Writes the state to disk, so that no answered change is lost if the service crashes. */
  save(): void {
    if (this.file === undefined) return;
    const draft = `${this.file}.${process.pid}.tmp`;
    try {
      // The state has secret values, so only the user may read the file.
      writeFileSync(draft, JSON.stringify(this.state), { mode: 0o600, flush: true });
      renameSync(draft, this.file);
    } catch (error) {
      rmSync(draft, { force: true });
      const why = (error as Error).message;
      throw new Error(`option data: ${why}; choose a file in a folder that exists and can be written`);
    }
  }
}

function read(file: string, profile: string): StoredState | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const state = jsonIn(readFileSync(file, "utf8"));
  if (!isProperties(state) || state.format !== 1 || typeof state.tenantId !== "string")
    throw new Error(`${file} holds no state of the emulator; choose another file or remove it`);
  if (state.profile === profile) return state as StoredState;
  throw new Error(
    `${file} was written with profile ${state.profile}; start with that profile instead of ${profile}`,
  );
}
