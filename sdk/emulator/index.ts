/**
 * The embedded service: a local stand-in for the control service, strict about its contract, for trying out and for tests.
 *
 * It needs no Pulumi and no network.
 */
import { randomUUID } from "node:crypto";
import { applyBehaviour, type EmulatorBehaviour, type EmulatorOptions, initialBehaviour } from "./behaviour";
import { controlsOf } from "./control";
import { type Fault, Faults } from "./faults";
import type { RecordedRequest } from "./http/request";
import { EmulatorServer } from "./http/server";
import type { DeploymentState } from "./resources/deployments/control";
import type { Push, RevisionState } from "./resources/deployments/revisions";
import { addMissingListeners, type NewListener, type StoredListener } from "./resources/listeners";
import type { NewRepository } from "./resources/repositories";
import type { NewToken } from "./resources/tokens";
import type { Service } from "./service";
import { Store } from "./store";
import { PROFILES, wireProfiles } from "./wireProfile";

export type { EmulatorBehaviour, EmulatorOptions } from "./behaviour";
export type { Fault, FaultMatch } from "./faults";
export type { RecordedRequest } from "./http/request";
export type { DeploymentState } from "./resources/deployments/control";
export type { Push, RevisionState } from "./resources/deployments/revisions";
export type { NewListener, StoredListener } from "./resources/listeners";
export type { NewRepository } from "./resources/repositories";
export type { NewToken } from "./resources/tokens";
export type { ProfileName } from "./wireProfile";

/** A running embedded service, and what a test may look at and do behind its callers' backs. */
export interface Emulator {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Stops at once: open connections are cut, nothing is left running. The state stays in `data`. */
  close(): Promise<void>;
  /** Requests so far, oldest first; it may be emptied (`requests.length = 0`). */
  readonly requests: RecordedRequest[];
  /** Its options; assign to change one from the next request on. */
  readonly behaviour: EmulatorBehaviour;
  /** Copies of the stored deployments with the values of their secrets and all revisions, newest first. */
  deployments(): DeploymentState[];
  /** Makes a revision as a push to the repository does. */
  push(deploymentId: string, push?: Push): RevisionState;
  /** Changes a stored deployment behind everyone's back: wire names, merged deeply (RFC 7386), no new revision. */
  change(deploymentId: string, patch: { [wireName: string]: unknown }): void;
  /** Ends the newest revision at once with a status. */
  settle(deploymentId: string, status: string): void;
  /** Removes a deployment behind everyone's back. */
  remove(deploymentId: string): void;
  /** Installs a listener, as an operator does outside of the contract; returns the stored one. */
  addListener(listener: NewListener): StoredListener;
  /** Makes repositories reachable through an integration; none: an integration without any. */
  addRepositories(integrationId: string, repositories: readonly NewRepository[]): void;
  /** Stores a provider's token. */
  addToken(token: NewToken): void;
  /** Adds READY deployments named seed-0001 and so on quickly; their ids in that order. */
  seed(count: number): string[];
  /** Makes something go wrong; several faults happen in the order of the calls. */
  failNext(fault: Fault): void;
}

/**
 * Starts the embedded service.
 *
 * Throws a TypeError for an unknown option or a bad value, and the system's error when the port
 * is taken or the file cannot be used.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", data, profile = "contract", listeners = [], ...behaviours } = options;
  if (!PROFILES.includes(profile)) throw new TypeError(`option profile: must be ${PROFILES.join(" or ")}`);
  const service: Service = {
    profile: wireProfiles[profile],
    store: new Store(profile, randomUUID(), data),
    behaviour: initialBehaviour(),
    faults: new Faults(),
  };
  applyBehaviour(service.behaviour, behaviours);
  addMissingListeners(service, listeners);
  const controls = controlsOf(service);
  const server = new EmulatorServer(service, controls);
  const listening = await server.listen(port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listening}`,
    close: () => server.close(),
    requests: server.requests,
    behaviour: service.behaviour,
    ...controls,
  };
}
