/**
 * Checks every request of the client and the provider against the endpoints of the chosen profile.
 *
 * Node's diagnostics channel reports the requests to every server that a test starts, so a request is checked even if
 * the test deletes the server's record of the request.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { endpointOf, type ProfileName } from "./table";

const CHANNEL = "http.server.request.start";

const watched = new Map<number, ProfileName>();
const strangers: string[] = [];

/** From now on, the test's teardown fails if a request to this address is outside the profile's endpoints. */
export function watch(url: string, profile: ProfileName): void {
  watched.set(Number(new URL(url).port), profile);
}

function look(message: unknown): void {
  const { request, server } = message as { request: IncomingMessage; server: Server };
  const profile = watched.get((server.address() as AddressInfo | null)?.port ?? 0);
  if (profile === undefined || isOfTheTest(request)) return;
  const { method = "", url = "" } = request;
  const { pathname } = new URL(url, "http://server");
  if (endpointOf(profile, method, pathname) === undefined) strangers.push(`${profile}: ${method} ${url}`);
}

/** Whether the test itself sent the request: `fetch` adds a header, and the client never uses `fetch`. */
function isOfTheTest({ headers }: { readonly headers: IncomingMessage["headers"] }): boolean {
  return headers["sec-fetch-mode"] !== undefined;
}

/** Returns all recorded requests outside their profile, and empties the list. */
const takeStrangers = (): string[] => strangers.splice(0);

beforeAll(() => subscribe(CHANNEL, look));
afterAll(() => unsubscribe(CHANNEL, look));
afterEach(() => {
  watched.clear();
  expect(takeStrangers()).toEqual([]);
});
