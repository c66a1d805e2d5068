/**
 * The services that one stack reaches: the environment's service, and one that only the program's own provider knows.
 */
import { deploymentRows } from "../../provider/fields/deployment";
import type { Properties } from "../../provider/fields/value";
import { rowsToWire } from "../../provider/fields/wire";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import {
  type DeploymentState,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../sdk/emulator/index";
import { watch } from "../endpoints/watching";
import { changed, type Declared, type Slot, withOptions } from "./slots";
import type { ProfileName } from "./values";

export class Services {
  readonly #installed = new Set<string>();
  /** By name. */
  readonly #existing = new Map<unknown, string>();

  private constructor(
    readonly profile: ProfileName,
    /** The environment's service comes first. */
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

  /** The service that has the deployment; the environment's if neither has it. */
  holderOf(id: string): Emulator {
    const isHeld = (emulator: Emulator) => emulator.deployments().some((each) => each.id === id);
    return this.emulators.find(isHeld) ?? this.emulators[0];
  }

  /** Paths of the writes since the last call. */
  writes(): string[] {
    return this.emulators
      .flatMap(({ requests }) => requests.splice(0))
      .filter(({ method }) => method !== "GET")
      .map(({ path }) => path);
  }

  /** Listeners by id, as JSON. */
  async listeners(): Promise<Map<string, string>> {
    const state = await fetch(`${this.emulators[0].url}/_emulator/state`);
    const { listeners } = (await state.json()) as { listeners: { id: string; compute_config: unknown }[] };
    return new Map(listeners.map(({ id, compute_config }) => [id, JSON.stringify(compute_config)]));
  }

  /**
   * Makes everything that the slots require, and returns the slots with the ids of the deployments that they import.
   */
  prepared(slots: readonly Slot[]): Promise<Slot[]> {
    for (const { listener } of slots) this.#install(listener?.args.computeId);
    return Promise.all(
      slots.map(async (slot) => {
        const { next } = slot;
        if (next?.options.import === undefined) return slot;
        const id = await this.#made(next, next.options.import);
        return changed(slot, "next", (each) => withOptions(each, { import: id as never }));
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.emulators.map((each) => each.close()));
  }

  /** Installs every listener under the contract, as an operator does, and only some of them under the other profile. */
  #install(computeId: unknown): void {
    if (typeof computeId !== "string" || this.#installed.has(computeId)) return;
    const isTaken = computeId.includes("-taken-");
    if (this.profile !== "contract" && !isTaken) return;
    this.#installed.add(computeId);
    const config = isTaken ? { compute_config: { k8s_namespaces: ["of-an-operator"] } } : {};
    this.emulators[0].addListener({ compute_id: computeId, ...config });
  }

  async #made({ options }: Declared, args: Properties): Promise<string> {
    const id = this.#existing.get(args.name);
    if (id !== undefined) return id;
    const { url } = this.emulators[options.provider === "elsewhere" ? 1 : 0];
    const body = rowsToWire(deploymentRows, args, PROFILES[this.profile] as Profile);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/v2/deployments`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const created = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(`nothing to import could be made: ${JSON.stringify(created)}`);
    this.#existing.set(args.name, created.id);
    return created.id;
  }
}
