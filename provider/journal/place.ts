/** The place of the journal. */
import { homedir } from "node:os";
import path from "node:path";
import { environmentName, NAME } from "../fields/naming";

export interface Place {
  /** Undefined where the journal is off. */
  readonly folder: string | undefined;
  /** The backend that the environment names. Stacks of one name in two backends are different stacks. */
  readonly backend: string;
  /**
   * Whether the engine writes the state only at its end. Then the journal is the only trace of what a run has made, and a
   * request that it cannot note must not be sent. False unless given.
   */
  readonly isOnlyTrace?: boolean;
}

/** The setting `journal`: a folder, or `off`; below Pulumi's own folder unless set. */
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

/** Older engines also want PULUMI_EXPERIMENTAL. It is safe to treat the variable as set. */
function skipsCheckpoints({ PULUMI_SKIP_CHECKPOINTS: set }: NodeJS.ProcessEnv): boolean {
  return /^(1|true)$/i.test(set ?? "");
}

function withoutCredentials(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
