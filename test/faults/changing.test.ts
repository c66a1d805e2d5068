import { randomUUID } from "node:crypto";
import { EngineRun } from "../../provider/run/run";
import { badServer } from "../support/faults/badServer";
import { Random } from "../support/faults/random";
import { tellFigures } from "../support/faults/size";
import { TurnedClock } from "../support/faults/turnedClock";
import { chat } from "../support/providerRun";
import { deployment } from "../support/resourceCalls";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly managed: boolean;
  readonly createdAt: string;
  /** Number of reads that do not show the change yet. */
  lag: number;
}

const ENDLESS = 3_000;

/** A service whose list changes with each page that is read, and that may ignore filters or offsets. */
class Changing {
  readonly entries: Entry[] = [];
  readonly pageCap: number;
  readonly filters: boolean;
  readonly offsets: "counts" | "none" | "stands still" | "ignored";
  changes: number;
  requests = 0;

  constructor(readonly random: Random) {
    this.pageCap = 1 + random.below(10);
    this.offsets = random.pick(["counts", "counts", "none", "stands still", "ignored"]);
    this.filters = this.offsets === "counts" || this.offsets === "none" ? random.chance(0.6) : true;
    this.changes = random.below(6);
    const lagging = random.chance(0.4);
    for (let count = 2 + random.below(30); count > 0; count -= 1) this.#add(random.chance(0.3), lagging);
    this.#add(true, lagging);
  }

  #add(managed: boolean, lagging: boolean): void {
    const { random } = this;
    const isNew = lagging && managed;
    const age = isNew ? 1_000 : 3_600_000 + random.below(1_000_000);
    const createdAt = new Date(Date.now() - age).toISOString();
    const id = randomUUID();
    this.entries.unshift({ id, name: `n-${id}`, managed, createdAt, lag: isNew ? random.below(11) : 0 });
  }

  /** Adds, removes and reorders other entries between two pages. */
  #change(): void {
    if (this.changes <= 0 || this.random.chance(0.4)) return;
    this.changes -= 1;
    const otherIndexes = this.entries.flatMap(({ managed }, index) => (managed ? [] : [index]));
    const kind = this.random.below(3);
    if (kind === 0) this.#add(false, false);
    if (kind === 1 && otherIndexes.length > 0) this.entries.splice(this.random.pick(otherIndexes), 1);
    if (kind === 2) this.entries.unshift(...this.entries.splice(this.random.below(this.entries.length), 1));
  }

  page(query: URLSearchParams): object {
    this.requests += 1;
    const ids = this.filters ? query.get("deployment_ids")?.split(",") : undefined;
    const name = this.filters ? query.get("name") : null;
    const offset = this.offsets === "ignored" ? 0 : Number(query.get("offset"));
    const shown = this.entries.filter(
      (entry) =>
        entry.lag-- <= 0 && (!ids || ids.includes(entry.id)) && (name === null || entry.name === name),
    );
    const limit = Math.min(this.pageCap, Number(query.get("limit")));
    const resources = shown.slice(offset, offset + limit).map(({ id, name, createdAt }) => ({
      id,
      name,
      created_at: createdAt,
      latest_revision_id: "r",
      active_revision_id: "r",
      source: "repohost",
      source_config: {},
      source_revision_config: { repo_ref: "main" },
      secrets: [],
    }));
    this.#change();
    const requestedOffset = Number(query.get("offset"));
    if (this.offsets === "none") return { resources };
    return {
      resources,
      offset: this.offsets === "stands still" ? requestedOffset : requestedOffset + resources.length,
    };
  }
}

async function serving<T>(changing: Changing, use: (url: string) => Promise<T>): Promise<T> {
  const { url, close } = await badServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://host");
    const isEndless = changing.requests > ENDLESS;
    const body = isEndless ? {} : changing.page(searchParams);
    response
      .writeHead(isEndless ? 400 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  });
  try {
    return await use(url);
  } finally {
    await close();
  }
}

/** Refreshes each managed deployment in one run of the engine; returns the faults. */
async function refreshed(seed: number) {
  const changing = new Changing(new Random(seed));
  return serving(changing, async (url) => {
    const source = (key: string) => ({ baseUrl: url, journal: "off" })[key];
    const session = new EngineRun(source, { info: async () => {}, warn: async () => {} }, new TurnedClock());
    const managed = changing.entries.filter((entry) => entry.managed);
    const refreshed = await Promise.all(
      managed.map(({ id, name, createdAt }) =>
        deployment
          .read(session, id, { ...chat, name, id, createdAt, serviceUrl: url })
          .catch((error) => error),
      ),
    );
    await session.service(undefined).endpoints.close();
    return {
      managed: managed.length,
      deleted: refreshed.filter((each) => !(each instanceof Error) && each.id === undefined).length,
      missed: refreshed.filter((each, index) => each.id !== managed[index]?.id).length,
      endless: changing.requests > ENDLESS ? 1 : 0,
    };
  });
}

test("if a list changes while it is read, lags behind or does not advance, no entry is lost and the reading ends", async () => {
  const runs = 1_000;
  const total = { managed: 0, deleted: 0, missed: 0, endless: 0 };
  const bad: number[] = [];
  for (let seed = 1; seed <= runs; seed += 1) {
    const { managed, deleted, missed, endless } = await refreshed(seed);
    if (deleted + missed + endless > 0) bad.push(seed);
    total.managed += managed;
    total.deleted += deleted;
    total.missed += missed;
    total.endless += endless;
  }
  tellFigures(
    `lists: ${runs} runs with ${total.managed} managed ids: ${total.missed} missed, ${total.deleted} falsely deleted, ${total.endless} endless`,
  );
  expect(bad).toEqual([]);
});

test("the suite notices a client that reads each list once and believes it", async () => {
  let [missed, endless] = [0, 0];
  for (let seed = 1; seed <= 60; seed += 1) {
    const changing = new Changing(new Random(seed));
    await serving(changing, async (url) => {
      const ids = new Set<string>();
      for (let offset = 0; ; ) {
        const answer = await fetch(`${url}/v2/deployments?limit=100&offset=${offset}`);
        const page = (await answer.json()) as { resources?: { id: string }[]; offset?: number };
        if (!page.resources || page.resources.length === 0) break;
        for (const { id } of page.resources) ids.add(id);
        offset = page.offset ?? offset + page.resources.length;
      }
      missed += changing.entries.filter(({ managed, id }) => managed && !ids.has(id)).length;
      endless += changing.requests > ENDLESS ? 1 : 0;
    });
  }
  expect(missed).toBeGreaterThan(0);
  expect(endless).toBeGreaterThan(0);
}, 300_000);
