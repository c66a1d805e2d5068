/** State shared by all connections to one account of one service. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import type { LeaveOut } from "../client/paging";
import type { Properties } from "../fields/value";
import type { Profile } from "../profiles/profiles";
import { Poller } from "../waiting/poller";
import { Directory } from "./directory";
import { Gathering, LeftOut } from "./sharedListing";

export interface Account {
  readonly directory: Directory;
  /** For all waits for the account's revisions. */
  readonly poller: Poller;
  /** Listeners by id: one listing for all ids that are asked for at once. */
  readonly listeners: Gathering<Properties>;
}

/** A new account, of which nothing is known yet. `leaveOut` is called with each list entry that cannot be read. */
export function accountOf(
  endpoints: Endpoints,
  profile: Profile,
  clock: Clock,
  leaveOut: LeaveOut = () => undefined,
): Account {
  const directory = new Directory(endpoints, profile, clock, leaveOut);
  const poller = new Poller(endpoints, directory, clock);
  const listeners = new Gathering(clock, (ids) => listenersById(endpoints, ids, leaveOut));
  return { directory, poller, listeners };
}

async function listenersById(endpoints: Endpoints, ids: readonly string[], leaveOut: LeaveOut) {
  const leftOut = new LeftOut(leaveOut);
  const listeners = new Map<string, Properties | Error>();
  for await (const page of endpoints.listListeners({}, leftOut.take))
    for (const listener of page) listeners.set(listener.id as string, listener);
  for (const id of ids) {
    const doubt = listeners.has(id) ? undefined : leftOut.whyNotGone(id);
    if (doubt !== undefined) listeners.set(id, doubt);
  }
  return listeners;
}
