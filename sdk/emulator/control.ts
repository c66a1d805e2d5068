/** Operations for tests, in addition to the embedded service's HTTP calls. Each operation is a method of `Emulator`. */
import type { Fault } from "./faults";
import * as deployments from "./resources/deployments/control";
import { addListener } from "./resources/listeners";
import { addRepositories } from "./resources/repositories";
import { addToken } from "./resources/tokens";
import type { EmulatedService } from "./service";

const operations = {
  /** Makes a revision, as a push to the repository does, and returns the revision. */
  push: deployments.push,
  /** Merges fields, under their wire names, into a stored deployment (RFC 7386). Makes no request and no revision. */
  change: deployments.change,
  /** Ends the newest revision at once with a status. An optional message gives the reason. */
  settle: deployments.settle,
  /** Removes a deployment from the store at once, with no request. */
  remove: deployments.remove,
  /** Installs a listener, as an operator does outside the contract. Returns the stored listener. */
  addListener,
  /** Makes repositories reachable through an integration. An empty list makes an empty integration. */
  addRepositories,
  /** Stores a provider's token. */
  addToken,
  /**
   * Adds READY deployments, named seed-0001 and so on, or previews, named preview-0001 and so on. Returns their ids in
   * order.
   */
  seed: deployments.seed,
  /** Adds a fault for later requests. Faults happen in the order in which they were added. */
  failNext: ({ faults }: EmulatedService, fault: Fault) => faults.add(fault),
};

/** The operations as methods. */
export type Controls = {
  readonly [K in keyof typeof operations]: (typeof operations)[K] extends (
    service: EmulatedService,
    ...args: infer A
  ) => infer R
    ? (...args: A) => R
    : never;
};

type Operation = (service: EmulatedService, ...args: unknown[]) => unknown;

/** Each method copies its arguments and its answer, so that the test shares no object with the state. */
export function controlsOf(service: EmulatedService): Controls {
  const methods = Object.entries(operations as unknown as Record<string, Operation>).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      const answer = run(service, ...structuredClone(args));
      service.store.save();
      return structuredClone(answer);
    },
  ]);
  return Object.fromEntries(methods) as Controls;
}
