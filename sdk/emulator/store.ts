/** The state of the service and the file that keeps it across restarts. */
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
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JsonRecord } from "./mergePatch";
import { isRecord } from "./mergePatch";
import type { StoredThread } from "./runtimeThreads";
import type { ProfileName } from "./wireProfile";

export interface StoredSecret {
  name: string;
  value: string;
}

export interface StoredRevision {
  readonly id: string;
  readonly source: string;
  readonly createdMs: number;
  /** Where its statuses start: later than its creation while the database is awaited. */
  readonly startMs: number;
  /** How long each status but the last takes. */
  readonly stepMs: number;
  readonly statuses: readonly string[];
  source_revision_config: JsonRecord;
  repo_commit_sha: string | null;
  /** Set when it ended otherwise than its statuses say. */
  end?: { readonly status: string; readonly atMs: number };
}

export interface StoredDeployment {
  readonly id: string;
  tenant_id: string;
  name: string;
  source: string;
  source_config: JsonRecord;
  secrets: StoredSecret[];
  secret_references: JsonRecord[] | null;
  created_at: string;
  updated_at: string;
  image_version: string | null;
  tag_value_ids: string[];
  /** Null: it is when it runs on a listener. */
  remote_reconciled: boolean | null;
  databaseReadyMs: number;
  /** When its deletion is done. */
  goneMs?: number;
  /** Computed fields that `change` has set to something else. */
  overrides: JsonRecord;
  /** Oldest first. */
  revisions: StoredRevision[];
}

export interface StoredListener {
  readonly id: string;
  compute_type: string;
  compute_id: string;
  compute_config: JsonRecord;
  version: string | null;
  created_at: string;
  updated_at: string;
}

export interface StoredRepository {
  host_integration_id: string;
  id: number;
  name: string;
  owner: string;
  url: string;
  default_branch: string;
}

export interface StoredToken {
  id: string;
  provider_id: string;
  created_at: string;
  updated_at: string;
  provider_account_label: string | null;
  scopes: unknown[];
  expires_at: string | null;
  is_default: boolean;
  /** The API key of its owner; null: anybody may change it. */
  owner: string | null;
}

export interface State {
  readonly format: 1;
  readonly profile: ProfileName;
  readonly tenantId: string;
  /** In the order of creation. */
  deployments: StoredDeployment[];
  listeners: StoredListener[];
  repositories: { [integrationId: string]: StoredRepository[] };
  tokens: StoredToken[];
  /** In the order of creation; a state of an earlier version has none. */
  threads?: StoredThread[];
}

export class Store {
  readonly state: State;

  constructor(
    profile: ProfileName,
    tenantId: string,
    private readonly file: string | undefined,
  ) {
    const empty: State = {
      format: 1,
      profile,
      tenantId,
      deployments: [],
      listeners: [],
      repositories: {},
      tokens: [],
    };
    if (file !== undefined) refuseUnusable(file);
    this.state = (file === undefined ? undefined : read(file, profile)) ?? empty;
  }

  /** Puts the state on disk; when this returns, a crash loses nothing of it. */
  save(): void {
    if (this.file === undefined) return;
    const draft = `${this.file}.${process.pid}.tmp`;
    writeFlushed(draft, JSON.stringify(this.state));
    renameSync(draft, this.file);
    flushDirectory(dirname(this.file));
  }
}

/** Found out at the start, not with the first change that would have to be kept. */
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
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const state = parse(content);
  if (!state) throw new Error(`${file} holds no state of the emulator; choose another file or remove it`);
  if (state.profile !== profile) {
    throw new Error(
      `${file} was written with profile ${state.profile}; start with that one instead of ${profile}`,
    );
  }
  return state;
}

function parse(content: string): State | undefined {
  try {
    const state: unknown = JSON.parse(content);
    return isRecord(state) && state.format === 1 && Array.isArray(state.deployments)
      ? (state as never)
      : undefined;
  } catch {
    return undefined;
  }
}

function writeFlushed(file: string, content: string): void {
  // The state holds secret values.
  const descriptor = openSync(file, "w", 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function flushDirectory(directory: string): void {
  // Windows opens no directories; there the rename alone has to do.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
