/** The place of the journal. */
import { homedir } from "node:os";
import path from "node:path";
import { environmentName, NAME } from "../fields/naming";

export interface Place {
  /** The journal's folder; undefined if the journal is off. */
  readonly folder: string | undefined;
  /** The backend that the environment names. Stacks of one name in two backends are different stacks. */
  readonly backend: string;
  /**
   * Whether the engine writes the state only at its end; false unless given. Then the journal is the only trace of a
   * run's work, and a request that cannot be recorded must not be sent.
   */
  readonly isOnlyTrace?: boolean;
}

/**
 * The place from the setting `journal`, which is a folder or `off`. Without the setting, a folder inside Pulumi's own.
 */
export function journalPlace(
  source: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv,
): Place {
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

/** Older engines also require PULUMI_EXPERIMENTAL. It is safe to treat it as set. */
function skipsCheckpoints({ PULUMI_SKIP_CHECKPOINTS: set }: NodeJS.ProcessEnv): boolean {
  return /^(1|true)$/i.test(set ?? "");
}

function withoutCredentials(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
