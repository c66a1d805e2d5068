/** The revisions of a deployment, as the service lists them, and the statuses of one revision over time. */

import { oneLine } from "../client/answer";
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { printable } from "../schema/secrecy";
import type { Properties } from "../schema/value";

/** Finds the revision, and reads as few pages as possible. */
export async function findRevision(
  endpoints: Endpoints,
  deploymentId: string,
  revisionId: string,
): Promise<Properties | undefined> {
  for await (const page of endpoints.listRevisions(deploymentId)) {
    const revision = page.find(({ id }) => id === revisionId);
    if (revision) return revision;
  }
  return undefined;
}

/** All revisions, newest first. The revisions are sorted here, because the contract promises no order. */
export async function revisionsOf(endpoints: Endpoints, deploymentId: string): Promise<Properties[]> {
  const revisions = (await Array.fromAsync(endpoints.listRevisions(deploymentId))).flat();
  return revisions.sort((a, b) => Date.parse(String(b.created_at)) - Date.parse(String(a.created_at)));
}

/** Fields outside the contract in which a service may say why a revision failed. */
const REASONS = ["status_message", "message", "error"];

/** Why the revision failed, in the service's words and safe to print; undefined if the service gives no reason. */
export function reasonIn(revision: Properties | undefined): string | undefined {
  const words = REASONS.map((name) => revision?.[name]).find(
    (text) => typeof text === "string" && /\S/.test(text),
  );
  return words === undefined ? undefined : printable(oneLine(String(words)));
}

/** The newest other revision, unless it is older than `revision`. A service may name an older revision as latest. */
export async function newerThan(
  endpoints: Endpoints,
  deploymentId: string,
  revision: Properties,
): Promise<Properties | undefined> {
  const createdAt = Date.parse(String(revision.created_at));
  const [newest] = (await revisionsOf(endpoints, deploymentId)).filter(({ id }) => id !== revision.id);
  return Date.parse(String(newest?.created_at)) >= createdAt ? newest : undefined;
}

export interface Stage {
  readonly status: string;
  readonly seconds: number;
}

export class StatusLog {
  readonly #clock: Clock;
  readonly #started: number;
  readonly #marks: { status: string; at: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#started = clock.now();
  }

  changed(status: string): boolean {
    if (this.#marks.at(-1)?.status === status) return false;
    this.#marks.push({ status, at: this.#clock.now() });
    return true;
  }

  get elapsed(): number {
    return this.#clock.now() - this.#started;
  }

  total(): number {
    return seconds(this.elapsed);
  }

  steps(): Stage[] {
    const now = this.#clock.now();
    return this.#marks.map((mark, index) => ({
      status: mark.status,
      seconds: seconds((this.#marks[index + 1]?.at ?? now) - mark.at),
    }));
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

/** The statuses for an error message, such as ` (BUILDING 12 s, BUILD_FAILED)`; empty if no status was seen. */
export function describeSteps(steps: readonly Stage[]): string {
  if (steps.length === 0) return "";
  const words = steps.map(({ status, seconds }, index) =>
    index === steps.length - 1 ? status : `${status} ${seconds} s`,
  );
  return ` (${words.join(", ")})`;
}
