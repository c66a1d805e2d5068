/** What deployments there are: one listing of a run, shared by all that ask by name or id. */
import type { Endpoints } from "./client/endpoints";
import { isNotFound } from "./client/errors";
import { type Clock, systemClock } from "./client/retry";
import type { Properties } from "./fields/value";
import type { Profile } from "./profiles";

/** After this long, others may have created what a listing does not have. */
const LISTING_AGE_MS = 60_000;

export class Directory {
  readonly #endpoints: Endpoints;
  readonly #profile: Profile;
  readonly #clock: Clock;
  #listing: { readonly at: number; readonly byId: Promise<Map<string, Properties>> } | undefined;

  constructor(endpoints: Endpoints, profile: Profile, clock: Clock = systemClock) {
    this.#endpoints = endpoints;
    this.#profile = profile;
    this.#clock = clock;
  }

  /** The deployments of exactly that name, of the shared listing. */
  async named(name: string): Promise<Properties[]> {
    return [...(await this.#shared()).values()].filter((deployment) => deployment.name === name);
  }

  /** The deployment, of the shared listing; not being in it is proof only after a look-up of its own. */
  async byId(id: string): Promise<Properties | undefined> {
    return (await this.#shared()).get(id) ?? this.fresh(id);
  }

  /** The deployment as it is now, or undefined when the service has none of that id. */
  async fresh(id: string): Promise<Properties | undefined> {
    const found = this.#profile.capabilities.getDeployment ? await this.#get(id) : await this.#search(id);
    if (found === undefined) await this.forget(id);
    else await this.remember(found);
    return found;
  }

  /** The deployments of exactly that name as they are now. */
  async freshlyNamed(name: string): Promise<Properties[]> {
    // By id: an entry that moves while the pages are read is answered twice.
    const found = new Map<unknown, Properties>();
    const query = { [this.#profile.query.deployments.name as string]: name };
    // A service that ignores or widens the filter answers others too; they are left out here.
    for await (const page of this.#endpoints.listDeployments(query)) {
      for (const deployment of page) if (deployment.name === name) found.set(deployment.id, deployment);
    }
    return [...found.values()];
  }

  /** Notes what a write answered. */
  async remember(deployment: Properties): Promise<void> {
    (await this.#listing?.byId.catch(() => undefined))?.set(deployment.id as string, deployment);
  }

  async forget(id: string): Promise<void> {
    (await this.#listing?.byId.catch(() => undefined))?.delete(id);
  }

  #shared(): Promise<Map<string, Properties>> {
    const now = this.#clock.now();
    if (this.#listing === undefined || now - this.#listing.at > LISTING_AGE_MS) {
      const byId = this.#listAll();
      this.#listing = { at: now, byId };
      // A listing that failed is not kept: the next one to ask tries again.
      byId.catch(() => {
        if (this.#listing?.byId === byId) this.#listing = undefined;
      });
    }
    return this.#listing.byId;
  }

  async #listAll(): Promise<Map<string, Properties>> {
    const byId = new Map<string, Properties>();
    for await (const page of this.#endpoints.listDeployments()) {
      for (const deployment of page) byId.set(deployment.id as string, deployment);
    }
    return byId;
  }

  async #get(id: string): Promise<Properties | undefined> {
    try {
      return (await this.#endpoints.getDeployment(id)).resource;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #search(id: string): Promise<Properties | undefined> {
    const query = { [this.#profile.query.deployments.deploymentIds as string]: id };
    for await (const page of this.#endpoints.listDeployments(query)) {
      const found = page.find((deployment) => deployment.id === id);
      if (found) return found;
    }
    return undefined;
  }
}
