/** The two services of a stack. Environment variables name the first; a provider in the program names the second. */

import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentRows } from "../../provider/schema/deployment";
import type { Properties } from "../../provider/schema/value";
import { rowsToWire } from "../../provider/schema/wire";
import {
  type DeploymentState,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../sdk/emulator/index";
import { watch } from "../endpoints/watching";
import { changed, type Slot, withOptions } from "./slots";
import type { ProfileName } from "./values";

export class Services {
  readonly #installed = new Set<string>();
  /** Ids, by deployment name. */
  readonly #existing = new Map<unknown, string>();

  private constructor(
    readonly profile: ProfileName,
    /** The service that the environment names, and the second service. */
    readonly emulators: readonly [Emulator, Emulator],
  ) {}

  static async start(profile: ProfileName, options: EmulatorOptions = {}): Promise<Services> {
    const start = () => startEmulator({ revisionSeconds: 0, profile, ...options });
    const emulators = [await start(), await start()] as const;
    for (const { url } of emulators) watch(url, profile);
    return new Services(profile, emulators);
  }

  deployments(): DeploymentState[] {
    return this.emulators.flatMap((each) => each.deployments());
  }

  /** The service that has the deployment; the first service if neither has the deployment. */
  holderOf(id: string): Emulator {
    const isHeld = (emulator: Emulator) => emulator.deployments().some((each) => each.id === id);
    return this.emulators.find(isHeld) ?? this.emulators[0];
  }

  /** The paths of the writes to both services since the last call. */
  writes(): string[] {
    return this.emulators
      .flatMap(({ requests }) => requests.splice(0))
      .filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"))
      .map(({ path }) => path);
  }

  /** The listeners' configurations as JSON, by id. */
  async listeners(): Promise<Map<string, string>> {
    const answer = await fetch(`${this.emulators[0].url}/v2/listeners?limit=100`);
    const { resources } = (await answer.json()) as { resources: { id: string; compute_config: unknown }[] };
    return new Map(resources.map(({ id, compute_config }) => [id, JSON.stringify(compute_config)]));
  }

  /**
   * Creates the listeners and deployments that the slots need on the service, and returns the slots with the ids that
   * they import.
   */
  prepared(slots: readonly Slot[]): Promise<Slot[]> {
    for (const { listener } of slots) this.#install(listener?.args.computeId);
    return Promise.all(
      slots.map(async (slot) => {
        const { next } = slot;
        if (next?.options.import === undefined) return slot;
        const id = await this.existing(next.options.import, next.options.provider === "elsewhere" ? 1 : 0);
        return changed(slot, "next", (each) => withOptions(each, { import: id as never }));
      }),
    );
  }

  /** The id of the deployment with these arguments. Creates a missing deployment, as another tool would. */
  async existing(args: Properties, service: 0 | 1 = 0): Promise<string> {
    const known = this.#existing.get(args.name);
    if (known !== undefined) return known;
    const body = rowsToWire(deploymentRows, args, PROFILES[this.profile] as Profile);
    const { id } = await this.send("POST", "/v2/deployments", body, service);
    this.#existing.set(args.name, id);
    return id;
  }

  /** Sends a request to a service, as another tool does. */
  async send(method: string, path: string, body: Properties, service: 0 | 1 = 0): Promise<{ id: string }> {
    const headers = { "content-type": "application/json" };
    const request = { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${this.emulators[service].url}${path}`, request);
    const answered = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(`another tool's ${method} failed: ${JSON.stringify(answered)}`);
    return answered;
  }

  async close(): Promise<void> {
    await Promise.all(this.emulators.map((each) => each.close()));
  }

  /**
   * Installs a listener, as an operator does. Under the profile `langsmith`, the program can create most listeners
   * itself.
   */
  #install(computeId: unknown): void {
    if (typeof computeId !== "string" || this.#installed.has(computeId)) return;
    const isTaken = computeId.includes("-taken-");
    if (this.profile !== "contract" && !isTaken) return;
    this.#installed.add(computeId);
    const config = isTaken ? { compute_config: { k8s_namespaces: ["of-an-operator"] } } : {};
    this.emulators[0].addListener({ compute_id: computeId, ...config });
  }
}
