import { ServiceError } from "../../provider/client/errors";
import { Http, type HttpRequest } from "../../provider/client/http";
import { RefusedError, UnfinishedError } from "../../provider/failure";
import { EngineRun } from "../../provider/run/run";
import type { Emulator } from "../../sdk/emulator";
import { started } from "../support/embeddedService";
import { FAULTS, type FaultName, Way } from "../support/faults/network";
import { isWhole, tellFigures } from "../support/faults/size";
import { TurnedClock } from "../support/faults/turnedClock";
import { journalFolder } from "../support/interruptedRun";
import { chat, URN } from "../support/providerRun";
import { deployment } from "../support/resourceCalls";

const COUNT = 5;

/** A service, the network to the service, and the runs that send requests over that network. */
class World {
  readonly clock = new TurnedClock();
  /** Number of requests that ended more than a second after their deadline. `untyped`: number of untyped errors. */
  late = 0;
  untyped = 0;
  /** Number of requests that met a fault. */
  met = 0;
  readonly #sessions: EngineRun[] = [];
  readonly #journal = journalFolder();

  private constructor(
    readonly emulator: Emulator,
    readonly way: Way,
    private readonly profile?: Target["profile"],
  ) {}

  static async with(pageCap: number, profile?: Target["profile"]): Promise<World> {
    const emulator = await started({ pageCap, profile });
    const way = new Way(emulator.url);
    await way.listen();
    const world = new World(emulator, way, profile);
    way.onTimeOut = () => world.clock.ringNext();
    return world;
  }

  /** Starts a new run, as `pulumi up` in a separate process would. */
  session(): EngineRun {
    const settings = { baseUrl: this.way.url, journal: this.#journal, profile: this.profile };
    const source = (key: string) => settings[key as keyof typeof settings];
    const session = new EngineRun(source, { info: async () => {}, warn: async () => {} }, this.clock);
    this.#sessions.push(session);
    return session;
  }

  /** Applies the fault to the target request at `position`, counted from 1, or to all target requests. */
  disturb(
    fault: FaultName,
    isOfTarget: (method: string, path: string) => boolean,
    position: number | "all",
    following = false,
  ): void {
    let begun = false;
    const isTarget = (method: string, path: string): boolean => {
      const is = isOfTarget(method, path);
      begun ||= is && following;
      return begun || is;
    };
    const world = this;
    let [tries, asked] = [0, 0];
    const isMet = (count: number) => {
      const met = position === "all" || count === position;
      this.met += met ? 1 : 0;
      return met;
    };
    const send = Http.prototype.send;
    jest.spyOn(Http.prototype, "send").mockImplementation(async function (this: Http, request: HttpRequest) {
      if (fault === "connection refused" && isTarget(request.method, request.path) && isMet(++asked))
        await world.way.close();
      return world.timed(() => send.call(this, request));
    });
    this.clock.onSleep = () => (position === "all" ? undefined : this.way.listen());
    this.way.faultOf = ({ method, path }) =>
      fault !== "connection refused" && isTarget(method, path) && isMet(++tries) ? fault : undefined;
  }

  async calm(): Promise<void> {
    jest.restoreAllMocks();
    this.way.faultOf = () => undefined;
    await this.way.listen();
  }

  async close(): Promise<void> {
    await this.calm();
    await Promise.all(this.#sessions.map((session) => session.service(undefined).endpoints.close()));
    await this.way.close();
    await this.emulator.close();
  }

  async timed<T>(send: () => Promise<T>): Promise<T> {
    const begun = this.clock.now();
    try {
      return await send();
    } catch (error) {
      // The look-up before an attempt may throw a `RefusedError`.
      if (!(error instanceof ServiceError || error instanceof RefusedError)) this.untyped += 1;
      throw error;
    } finally {
      if (this.clock.now() - begun > 601_000) this.late += 1;
    }
  }
}

interface Verdict {
  readonly twice: number;
  readonly lost: number;
}

/**
 * The requests that meet faults, and a run that sends them. After a fault, the run repeats the operation that failed.
 */
interface Target {
  readonly isTarget: (method: string, path: string) => boolean;
  readonly profile?: "langsmith";
  readonly pageCap?: number;
  /** Whether faults also hit every request after the first target request. */
  readonly following?: boolean;
  readonly requests: number;
  prepare(world: World): Promise<unknown>;
  run(world: World, calm: () => Promise<void>, prepared: never): Promise<Verdict>;
}

const attempted = async <T>(
  first: () => Promise<T>,
  calm: () => Promise<void>,
  again: (error: Error) => Promise<T>,
) =>
  first().catch(async (error: Error) => {
    await calm();
    return again(error);
  });

const inputs = (name: string, repoRef = "main") => ({
  ...chat,
  __urn: URN.replace(/chat$/, name),
  name,
  sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" },
});

const creations: Target = {
  isTarget: (method) => method === "POST",
  requests: COUNT,
  prepare: async () => undefined,
  async run(world, calm) {
    const recorded: string[] = [];
    let session = world.session();
    for (const name of ["a", "b", "c", "d", "e"]) {
      const create = () => deployment.create(session, inputs(name));
      const again = () => {
        session = world.session();
        return create();
      };
      recorded.push((await attempted(create, calm, again)).id);
    }
    const there = world.emulator.deployments().map(({ id }) => id);
    const twice = there.length - new Set(world.emulator.deployments().map(({ name }) => name)).size;
    return { twice, lost: COUNT - recorded.filter((id) => there.includes(id)).length };
  },
};

const updates: Target = {
  isTarget: (method) => method === "PATCH",
  requests: COUNT,
  prepare: (world) => deployment.create(world.session(), inputs("chat")),
  async run(world, calm, { id, outputs }: { id: string; outputs: Record<string, unknown> }) {
    let session = world.session();
    let olds = outputs;
    for (let count = 1; count <= COUNT; count += 1) {
      const news = inputs("chat", `ref-${count}`);
      const update = () => deployment.update(session, id, olds, news);
      olds = await attempted(update, calm, (error) => {
        if (error instanceof UnfinishedError) olds = error.properties;
        session = world.session();
        return update();
      });
    }
    const { revisions } = world.emulator.deployments()[0] as { revisions: unknown[] };
    const revisionRefs = (world.emulator.deployments()[0]?.revisions ?? []).map(
      ({ source_revision_config: { repo_ref } }) => repo_ref,
    );
    const missing = Array.from({ length: COUNT }, (_, index) => `ref-${index + 1}`).filter(
      (ref) => !revisionRefs.includes(ref),
    );
    return { twice: revisions.length - new Set(revisionRefs).size, lost: missing.length };
  },
};

const TARGETS: { readonly [name: string]: Target } = {
  POST: creations,
  "POST and all that follows": { ...creations, following: true },
  PATCH: updates,
  "POST of a revision": {
    ...updates,
    profile: "langsmith",
    isTarget: (method, path) => method === "POST" && path.endsWith("/revisions"),
  },
  lists: {
    isTarget: (method, path) => method === "GET" && path === "/v2/deployments",
    pageCap: 5,
    requests: 6,
    prepare: async (world) => world.emulator.seed(25),
    async run(world, calm, ids: string[]) {
      let lost = 0;
      let session = world.session();
      const state = (id: string) => ({ ...inputs("x"), id, serviceUrl: world.way.url });
      for (const id of ids) {
        const read = () => deployment.read(session, id, state(id));
        const again = () => {
          session = world.session();
          return read();
        };
        if ((await attempted(read, calm, again)).id !== id) lost += 1;
      }
      return { twice: 0, lost };
    },
  },
};

async function disturbed(target: Target, fault: FaultName, position: number | "all") {
  const world = await World.with(target.pageCap ?? 100, target.profile);
  try {
    const prepared = await target.prepare(world);
    world.disturb(fault, target.isTarget, position, target.following);
    const verdict = await target.run(world, () => world.calm(), prepared as never);
    return { ...verdict, late: world.late, untyped: world.untyped, met: world.met > 0 };
  } finally {
    await world.close();
  }
}

const total = { cases: 0, twice: 0, lost: 0, late: 0, untyped: 0 };
const began = Date.now();
afterAll(() => {
  const seconds = Math.round((Date.now() - began) / 1000);
  tellFigures(
    `network: ${Object.keys(FAULTS).length} faults x ${Object.keys(TARGETS).length} targets, ${total.cases} cases: ` +
      `${total.twice} twice, ${total.lost} lost, ${total.late} past the deadline, ${total.untyped} without a type; ${seconds} s`,
  );
});

const faults = Object.keys(FAULTS) as FaultName[];

describe.each(Object.entries(TARGETS))("%s", (_, target) => {
  const middle = Math.ceil(target.requests / 2);
  const positions = isWhole ? ([1, 2, middle, target.requests, "all"] as const) : ([2] as const);
  test.each(faults)(
    "%s: nothing is lost, nothing is made twice, and no operation outlasts its deadline",
    async (fault) => {
      for (const position of positions) {
        const { twice, lost, late, untyped, met } = await disturbed(target, fault, position);
        total.cases += 1;
        total.twice += twice;
        total.lost += lost;
        total.late += late;
        total.untyped += untyped;
        expect({ position, met, twice, lost, late, untyped }).toEqual({
          position,
          met: true,
          twice: 0,
          lost: 0,
          late: 0,
          untyped: 0,
        });
      }
    },
  );
});
