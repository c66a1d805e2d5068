/**
 * The embedded service: a local stand-in for the control service, strict about its contract, for experiments and tests.
 *
 * The embedded service needs neither Pulumi nor a network.
 */
import { PROFILES, type Profile, type ProfileName } from "../../provider/profiles/profiles";
import {
  behaviourRows,
  type EmulatorBehaviour,
  type EmulatorOptions,
  optionsFrom,
  startRows,
} from "./behaviour";
import { type Controls, controlsOf } from "./control";
import type { RecordedRequest } from "./http/message";
import { EmulatorServer } from "./http/server";
import { type DeploymentState, deploymentStates, seed } from "./resources/deployments/control";
import { addMissingListeners } from "./resources/listeners";
import { newService } from "./service";

export type { EmulatorBehaviour, EmulatorOptions } from "./behaviour";
export type { Fault, FaultMatch } from "./faults";
export type { RecordedRequest } from "./http/message";
export type { DeploymentState, Push, RevisionState } from "./resources/deployments/control";
export type { NewListener, StoredListener } from "./resources/listeners";
export type { NewRepository } from "./resources/repositories";
export type { NewToken } from "./resources/tokens";
export type { ProfileName };

/** A running embedded service, with operations for tests. */
export interface Emulator extends Controls {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Stops the service and closes all connections at once. The file `data` keeps the state. */
  close(): Promise<void>;
  /** The requests so far, oldest first. A test may empty the list (`requests.length = 0`). */
  readonly requests: RecordedRequest[];
  /** The options of the service. A value that is assigned to an option applies from the next request on. */
  readonly behaviour: EmulatorBehaviour;
  /** Copies of the stored deployments, with secret values and all revisions, newest first. */
  deployments(): DeploymentState[];
}

/**
 * Starts the embedded service.
 *
 * Throws a TypeError for an unknown option or a bad value, and the system's error if the port is taken or the file
 * cannot be used.
 */
export async function startEmulator({ log, ...options }: EmulatorOptions = {}): Promise<Emulator> {
  const { port, host, data, profile, listeners, previews, ...behaviour } = optionsFrom(
    { ...startRows, ...behaviourRows },
    options,
  );
  if (behaviour.apiKey === undefined && ["0.0.0.0", "::"].includes(host))
    throw new TypeError("option host: listening on all addresses needs the option apiKey");
  const service = newService(PROFILES[profile] as Profile, behaviour, data);
  addMissingListeners(service, listeners);
  if (previews > 0 && service.profile.lacks.includes("isPreview"))
    throw new TypeError(`option previews: the service of profile ${profile} has none`);
  seed(service, previews, true);
  const server = new EmulatorServer(service, log);
  const listening = await server.listen(port, host);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listening}`,
    close: () => server.close(),
    requests: server.requests,
    behaviour: service.behaviour,
    deployments: () => deploymentStates(service),
    ...controlsOf(service),
  };
}
