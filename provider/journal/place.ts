/** The place of the journal: its folder, and the backend that holds the stack. */
import { homedir } from "node:os";
import path from "node:path";
import { environmentName, NAME } from "../schema/naming";

export interface JournalPlace {
  /** The journal's folder; undefined if the journal is off. */
  readonly folder: string | undefined;
  /** The backend that the environment names. Stacks with the same name in two backends are different stacks. */
  readonly backend: string;
  /**
   * Whether the engine writes the state only when the engine exits. If so, the journal is the only record of a run's
   * work, and a request that cannot be recorded must not be sent. Defaults to false.
   */
  readonly isOnlyTrace?: boolean;
}

/**
 * The place from the setting `journal`, which is a folder or `off`. Without the setting, the journal is in a folder
 * inside Pulumi's own folder.
 */
export function journalPlace(
  source: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv,
): JournalPlace {
  const setting = [environment[environmentName("journal")], source("journal")].find(
    (value) => value !== undefined && value.trim() !== "",
  );
  const backend = withoutCredentials(environment.PULUMI_BACKEND_URL ?? "");
  const isOnlyTrace = skipsCheckpoints(environment);
  if (setting?.trim() === "off") return { folder: undefined, backend, isOnlyTrace };
  const home = environment.PULUMI_HOME || path.join(homedir(), ".pulumi");
  return {
    folder: setting === undefined ? path.join(home, NAME, "journal") : path.resolve(setting.trim()),
    backend,
    isOnlyTrace,
  };
}

/** Older engines skip checkpoints only if PULUMI_EXPERIMENTAL is set too. To be safe, this variable counts as set. */
function skipsCheckpoints({ PULUMI_SKIP_CHECKPOINTS: value }: NodeJS.ProcessEnv): boolean {
  return /^(1|true)$/i.test(value ?? "");
}

function withoutCredentials(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
