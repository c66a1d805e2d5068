/** What every part of the emulator works on. */
import type { EmulatorBehaviour } from "./behaviour";
import type { Faults } from "./faults";
import { notFound } from "./refusal";
import type { Store, StoredDeployment } from "./store";
import type { Bodies } from "./validation";
import type { WireProfile } from "./wireProfile";

export interface Service {
  readonly profile: WireProfile;
  readonly store: Store;
  readonly behaviour: EmulatorBehaviour;
  readonly faults: Faults;
  readonly bodies: Bodies;
}

export const timestampOf = (ms: number): string => new Date(ms).toISOString();

/** The time of a change: always later than the one before, so that a change always shows. */
export function changedAt(before: string): string {
  return timestampOf(Math.max(Date.now(), Date.parse(before) + 1));
}

/** Forgets deployments whose deletion is done. */
export function forgetDeleted(service: Service): void {
  const { state } = service.store;
  const now = Date.now();
  if (!state.deployments.some(({ goneMs }) => goneMs !== undefined && goneMs <= now)) return;
  state.deployments = state.deployments.filter(({ goneMs }) => goneMs === undefined || goneMs > now);
}

export function deploymentById(service: Service, id: string): StoredDeployment {
  forgetDeleted(service);
  const stored = service.store.state.deployments.find((deployment) => deployment.id === id.toLowerCase());
  if (!stored) throw notFound("Deployment", id);
  return stored;
}

/** Whether this kind of hosting has the source. */
export function isHosted(service: Service, source: string): boolean {
  const { hosting } = service.behaviour;
  return hosting === "any" || (source === "external_docker") === (hosting === "self-hosted");
}
