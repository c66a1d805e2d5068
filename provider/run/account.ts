/** The account behind a connection: look-ups that its resources share. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import type { LeaveOut } from "../client/paging";
import { Directory } from "../lookup/directory";
import { Batcher, LeftOut } from "../lookup/sharedListing";
import { Poller } from "../polling/poller";
import type { Profile } from "../profiles/profiles";
import type { Properties } from "../schema/value";
import { Fleet } from "./fleet";
import { Keepers } from "./keepers";

/** The objects that all connections to an account share. */
export interface Account {
  readonly fleet: Fleet;
  readonly directory: Directory;
  /** Serves all waits for the account's revisions. */
  readonly poller: Poller;
  /** Listeners by id: one listing serves all simultaneous requests. */
  readonly listeners: Batcher<Properties>;
}

/** A new account without any cached answers. `leaveOut` is called with each list entry that cannot be read. */
export function accountOf(
  endpoints: Endpoints,
  profile: Profile,
  clock: Clock,
  leaveOut: LeaveOut = () => undefined,
  keepers = new Keepers("", undefined),
): Account {
  const directory = new Directory(endpoints, profile, clock, leaveOut);
  const poller = new Poller(endpoints, directory, clock);
  const listeners = new Batcher(clock, (ids) => listenersById(endpoints, ids, leaveOut));
  return { fleet: new Fleet(keepers), directory, poller, listeners };
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
