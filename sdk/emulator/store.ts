/** The state of the service, and the file that keeps it across restarts. */
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
import { notFound } from "./http/answer";
import { isRecord } from "./json";
import type { ProfileName } from "./wireProfile";

/** One section for each resource, whose file knows its shape. */
interface State {
  readonly format: 1;
  readonly profile: ProfileName;
  readonly tenantId: string;
  [section: string]: unknown;
}

export class Store {
  private readonly state: State;

  constructor(
    profile: ProfileName,
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

interface Stored {
  readonly store: Store;
}

/** The stored entries of one resource, which have UUIDs. */
export class Collection<T extends { readonly id: string }> {
  constructor(
    private readonly section: string,
    /** What an entry is called in a 404. */
    private readonly title: string,
  ) {}

  /** Oldest first. */
  all({ store }: Stored): T[] {
    return store.section<T[]>(this.section, []);
  }

  newestFirst(service: Stored): T[] {
    return [...this.all(service)].reverse();
  }

  get(service: Stored, id: string): T | undefined {
    return this.all(service).find((entry) => entry.id === id.toLowerCase());
  }

  /** Refuses with 404 what does not exist. */
  find(service: Stored, id: string): T {
    const entry = this.get(service, id);
    if (!entry) throw notFound(this.title, id);
    return entry;
  }

  add(service: Stored, entry: T): T {
    this.all(service).push(entry);
    return entry;
  }

  remove(service: Stored, entry: T): void {
    const entries = this.all(service);
    const place = entries.indexOf(entry);
    if (place >= 0) entries.splice(place, 1);
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

function read(file: string, profile: ProfileName): State | undefined {
  if (!existsSync(file)) return undefined;
  const state = parse(readFileSync(file, "utf8"));
  if (!state) throw new Error(`${file} holds no state of the emulator; choose another file or remove it`);
  if (state.profile === profile) return state;
  throw new Error(
    `${file} was written with profile ${state.profile}; start with that one instead of ${profile}`,
  );
}

function parse(content: string): State | undefined {
  try {
    const state: unknown = JSON.parse(content);
    const isState = isRecord(state) && state.format === 1 && typeof state.tenantId === "string";
    return isState ? (state as State) : undefined;
  } catch {
    return undefined;
  }
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
