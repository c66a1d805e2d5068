/** What a test can do to the service that none of its callers can. */
import type { Fault } from "./faults";
import { change, deploymentStates, remove } from "./resources/deployments/control";
import { seed } from "./resources/deployments/deployments";
import { push, settle } from "./resources/deployments/revisions";
import { addListener } from "./resources/listeners";
import { addRepositories } from "./resources/repositories";
import { addToken } from "./resources/tokens";
import type { Service } from "./service";

export type Controls = ReturnType<typeof controlsOf>;

export function controlsOf(service: Service) {
  /** Saves the state afterwards, and shares no object with the test. */
  const changing =
    <A extends unknown[], R>(act: (service: Service, ...given: A) => R) =>
    (...given: A): R => {
      const result = act(service, ...structuredClone(given));
      service.store.save();
      return structuredClone(result);
    };
  return {
    deployments: () => deploymentStates(service),
    push: changing(push),
    change: changing(change),
    settle: changing(settle),
    remove: changing(remove),
    addListener: changing(addListener),
    addRepositories: changing(addRepositories),
    addToken: changing(addToken),
    seed: changing(seed),
    failNext: (fault: Fault) => service.faults.add(fault),
  };
}
