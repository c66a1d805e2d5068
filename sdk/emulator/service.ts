/** What every part of the emulator works on: its options, its faults, and the state that it stores. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isProperties } from "../../provider/fields/value";
import type { Profile } from "../../provider/profiles/profiles";
import { applyBehaviour, type EmulatorBehaviour, initialBehaviour } from "./behaviour";
import { Faults } from "./faults";
import { notFound } from "./http/message";
import { jsonIn } from "./json";

export interface Service {
  readonly profile: Profile;
  readonly store: Store;
  readonly behaviour: EmulatorBehaviour;
  readonly faults: Faults;
  readonly makes: Maker;
}

/** Makes up times, ids and addresses. It is handed in, so that a test can have the same ones in each run. */
export interface Maker {
  /** Its clock, in milliseconds since 1970. */
  now(): number;
  /** Its clock at a change, which is always after the change before. */
  later(than: number): number;
  /** A UUID; `of` is the thing that gets it. */
  id(...of: readonly string[]): string;
  /** The commit of which the revision was built. */
  commit(revisionId: string): string;
  /** The address of a deployment. */
  address(id: string, name: string): string;
}

/** Time passes, and no two things are alike. */
const chance: Maker = {
  now: () => Date.now(),
  later: (than) => Math.max(Date.now(), than + 1),
  id: () => randomUUID(),
  commit: () => randomBytes(20).toString("hex"),
  address: (id, name) =>
    `https://${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-${id.slice(0, 8)}.example.test`,
};

/** A service of that profile; `data` is the file that keeps its state. Throws a TypeError for an option that there is not. */
export function newService(
  profile: Profile,
  options: { readonly [option: string]: unknown },
  { makes = chance, data }: { readonly makes?: Maker; readonly data?: string | undefined } = {},
): Service {
  const store = new Store(profile.name, makes.id("tenant"), data);
  const behaviour = initialBehaviour();
  applyBehaviour(behaviour, options);
  return { profile, store, behaviour, faults: new Faults(), makes };
}

export const timestampOf = (ms: number): string => new Date(ms).toISOString();

export const changedAt = ({ makes }: Service, before: string): string =>
  timestampOf(makes.later(Date.parse(before)));

/** The stored entries of one resource, which have UUIDs. */
export class Collection<T extends { readonly id: string }> {
  constructor(
    private readonly section: string,
    /** What an entry is called in a 404. */
    private readonly title: string,
  ) {}

  /** Oldest first. */
  all({ store }: Service): T[] {
    return store.section<T[]>(this.section, []);
  }

  newestFirst(service: Service): T[] {
    return [...this.all(service)].reverse();
  }

  get(service: Service, id: string): T | undefined {
    return this.all(service).find((entry) => entry.id === id.toLowerCase());
  }

  /** Refuses with 404 what does not exist. */
  find(service: Service, id: string): T {
    const entry = this.get(service, id);
    if (!entry) throw notFound(this.title, id);
    return entry;
  }

  add(service: Service, entry: T): T {
    this.all(service).push(entry);
    return entry;
  }

  remove(service: Service, entry: T): void {
    const entries = this.all(service);
    const place = entries.indexOf(entry);
    if (place >= 0) entries.splice(place, 1);
  }
}

/** One section for each resource, whose file knows its shape. */
interface State {
  readonly format: 1;
  readonly profile: string;
  readonly tenantId: string;
  [section: string]: unknown;
}

export class Store {
  private readonly state: State;

  constructor(
    profile: string,
    tenantId: string,
    private readonly file: string | undefined,
  ) {
    if (file !== undefined) refuseUnusable(file);
    const kept = file === undefined ? undefined : read(file, profile);
    this.state = kept ?? { format: 1, profile, tenantId };
  }

  get tenantId(): string {
    return this.state.tenantId;
  }

  /** A section of the state, to be changed in place; it is `empty` at first. */
  section<T>(name: string, empty: T): T {
    this.state[name] ??= empty;
    return this.state[name] as T;
  }

  /** Puts the state on disk; when this returns, a crash loses nothing of it. */
  save(): void {
    if (this.file === undefined) return;
    const draft = `${this.file}.${process.pid}.tmp`;
    // The state holds secret values.
    writeFileSync(draft, JSON.stringify(this.state), { mode: 0o600, flush: true });
    renameSync(draft, this.file);
    flushDirectory(dirname(this.file));
  }
}

/** Checked at the start, not with the first change that would be lost. */
function refuseUnusable(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) {
    throw new Error(`option data: the folder ${folder} does not exist; create it, or choose another file`);
  }
  if (existsSync(file) && statSync(file).isDirectory()) {
    throw new Error(`option data: ${file} is a folder; give a file, such as ${join(file, "state.json")}`);
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(`option data: nothing can be written in ${folder}; choose a file elsewhere`);
  }
}

function read(file: string, profile: string): State | undefined {
  if (!existsSync(file)) return undefined;
  const state = jsonIn(readFileSync(file, "utf8"));
  if (!isState(state))
    throw new Error(`${file} holds no state of the emulator; choose another file or remove it`);
  if (state.profile === profile) return state;
  throw new Error(
    `${file} was written with profile ${state.profile}; start with that one instead of ${profile}`,
  );
}

function isState(value: unknown): value is State {
  return isProperties(value) && value.format === 1 && typeof value.tenantId === "string";
}

function flushDirectory(directory: string): void {
  // Windows opens no directories: there the rename alone must do.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
