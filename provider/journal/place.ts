/** Where the journal is kept. */
import { homedir } from "node:os";
import path from "node:path";
import { environmentName, NAME } from "../fields/naming";

export interface Place {
  /** Undefined where the journal is off. */
  readonly folder: string | undefined;
  /** What the environment says about the backend: stacks of one name in two backends are not the same stack. */
  readonly backend: string;
  /**
   * Whether the engine writes the state only at its end. The journal is then the only trace of what a run has made, and a
   * request that it cannot note must not be sent. False unless given.
   */
  readonly isOnlyTrace?: boolean;
}

/** The setting `journal`: a folder, or `off`; below Pulumi's own folder unless set. */
export function journalPlace(
  source: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv,
): Place {
  const set = [environment[environmentName("journal")], source("journal")].find(
    (value) => value !== undefined && value.trim() !== "",
  );
  const backend = withoutCredentials(environment.PULUMI_BACKEND_URL ?? "");
  const isOnlyTrace = skipsCheckpoints(environment);
  if (set?.trim() === "off") return { folder: undefined, backend, isOnlyTrace };
  const home = environment.PULUMI_HOME || path.join(homedir(), ".pulumi");
  return {
    folder: set === undefined ? path.join(home, NAME, "journal") : path.resolve(set.trim()),
    backend,
    isOnlyTrace,
  };
}

/** Older engines want PULUMI_EXPERIMENTAL beside it; whether this one does is not known, and to take it for set is safe. */
function skipsCheckpoints({ PULUMI_SKIP_CHECKPOINTS: set }: NodeJS.ProcessEnv): boolean {
  return /^(1|true)$/i.test(set ?? "");
}

function withoutCredentials(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
