/**
 * The embedded service: a local stand-in for the control service, strict about its contract, for trying out and for tests.
 *
 * It needs no Pulumi and no network.
 */
import { randomUUID } from "node:crypto";
import { applyBehaviour, type EmulatorBehaviour, type EmulatorOptions, initialBehaviour } from "./behaviour";
import type { DeploymentState, Push, RevisionState } from "./control";
import * as control from "./control";
import { type Fault, Faults } from "./faults";
import type { NewRepository, NewToken } from "./integrations";
import type { NewListener } from "./listeners";
import type { RecordedRequest } from "./recording";
import { EmulatorServer } from "./server";
import type { Service } from "./service";
import { Store, type StoredListener } from "./store";
import { bodiesOf } from "./validation";
import { PROFILES, type ProfileName, wireProfiles } from "./wireProfile";

export type { EmulatorBehaviour, EmulatorOptions } from "./behaviour";
export type { DeploymentState, Push, RevisionState } from "./control";
export type { Fault, FaultMatch } from "./faults";
export type { NewRepository, NewToken } from "./integrations";
export type { NewListener } from "./listeners";
export type { RecordedRequest } from "./recording";
export type { StoredListener } from "./store";
export type { ProfileName } from "./wireProfile";

/** A running embedded service, and what a test may look at and do behind its callers' backs. */
export interface Emulator {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Stops at once: open connections are cut, nothing is left running. The state stays in `data`. */
  close(): Promise<void>;
  /** Requests so far, oldest first; it may be emptied (`requests.length = 0`). */
  readonly requests: RecordedRequest[];
  /** How it behaves; assign to change it from the next request on. */
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
  /** Installs a listener, as somebody does outside of the contract; the stored one. */
  addListener(listener: NewListener): StoredListener;
  /** Makes repositories reachable through an integration; none: an integration without any. */
  addRepositories(integrationId: string, repositories: readonly NewRepository[]): void;
  /** Stores a provider's token. */
  addToken(token: NewToken): void;
  /** Adds READY deployments named seed-0001 and so on quickly; their ids in that order. */
  seed(count: number): string[];
  /** Lets something go wrong; asked for twice, it goes wrong in that order. */
  failNext(fault: Fault): void;
}

/**
 * Starts the embedded service.
 *
 * Throws a TypeError for an option that there is not or that has a bad value, and the system's error when the port
 * is taken or the file cannot be used.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", data, profile = "contract", listeners = [], ...behaviours } = options;
  if (!PROFILES.includes(profile)) throw new TypeError(`option profile: must be ${PROFILES.join(" or ")}`);
  const service = serviceOf(profile, data);
  applyBehaviour(service.behaviour, behaviours);
  control.installMissing(service, listeners);
  const server = new EmulatorServer(service, { service });
  const listening = await server.listen(port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listening}`,
    close: () => server.close(),
    requests: server.requests,
    behaviour: service.behaviour,
    deployments: () => control.deploymentStates(service),
    push: (id, push) => control.push(service, id, push),
    change: (id, patch) => control.change(service, id, patch),
    settle: (id, status) => control.settle(service, id, status),
    remove: (id) => control.remove(service, id),
    addListener: (listener) => control.install(service, listener),
    addRepositories: (id, repositories) => control.connect(service, id, repositories),
    addToken: (token) => control.keepToken(service, token),
    seed: (count) => control.seed(service, count),
    failNext: (fault) => service.faults.add(fault),
  };
}

function serviceOf(profile: ProfileName, data: string | undefined): Service {
  return {
    profile: wireProfiles[profile],
    store: new Store(profile, randomUUID(), data),
    behaviour: initialBehaviour(),
    faults: new Faults(),
    bodies: bodiesOf(wireProfiles[profile]),
  };
}
