/** The memory of the provider's process. */
import { setFlagsFromString } from "node:v8";

/** V8 complains, for all to see, about a flag that it does not have: up to this version it has both. */
const LAST_KNOWN_V8 = 14;

/**
 * Keeps V8 from learning from the calls that wait. The first calls of a refresh wait for the listing: all that Pulumi's
 * host and gRPC have allocated for them survives several collections, and V8 concludes that such objects live long. From
 * then on it allocates those of every later call among the old ones, where they are garbage within a millisecond and
 * stay until a full collection; and it widens the space for new ones. Both flags are read whenever V8 decides that, so
 * they may be set in a process that runs.
 */
export function expectShortLives(): void {
  if (Number.parseInt(process.versions.v8, 10) > LAST_KNOWN_V8) return;
  setFlagsFromString("--no-allocation-site-pretenuring");
  setFlagsFromString("--semi-space-growth-factor=1");
}
