/** An account, and the objects that all connections to the account share, such as look-ups and waits. */
import type { Clock } from "../client/clock";
import type { Endpoints } from "../client/endpoints";
import { Directory } from "../lookup/directory";
import { Batcher } from "../lookup/sharedListing";
import { Poller } from "../polling/poller";
import type { Profile } from "../profiles/profiles";
import type { Properties } from "../schema/value";
import { Fleet } from "./fleet";
import { Keepers } from "./keepers";

export interface Account {
  readonly fleet: Fleet;
  readonly directory: Directory;
  readonly poller: Poller;
  /** Listeners by id. One listing serves all simultaneous requests. */
  readonly listeners: Batcher<Properties>;
}

/** A new account without any cached answers. */
export function accountOf(
  endpoints: Endpoints,
  profile: Profile,
  clock: Clock,
  keepers = new Keepers("", undefined),
): Account {
  const directory = new Directory(endpoints, profile, clock);
  const poller = new Poller(endpoints, directory, clock);
  const listeners = new Batcher(clock, async () => {
    const entries = (await Array.fromAsync(endpoints.listListeners())).flat();
    return new Map(entries.map((listener) => [listener.id as string, listener]));
  });
  return { fleet: new Fleet(keepers), directory, poller, listeners };
}
