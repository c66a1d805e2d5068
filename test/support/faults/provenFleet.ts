/**
 * A stack whose deployments are verified (`rollout.verify`), with runs that are killed at random moments, and with the
 * rule that must hold after each run.
 */
import type { Emulator } from "../../../sdk/emulator/index";
import { type Mood, type ProvingRuntime, provingRuntime } from "../provingRuntime";
import { FaultStack, type Program, type Running, type Service, startService } from "./faultStack";
import { killIn } from "./killCase";
import type { Random } from "./random";

const SIZE = 8;
/** With these arguments, the engine runs the steps of an up in parallel, and continues after a failure. */
const UP = ["up", "--yes", "--skip-preview", "--continue-on-error", "--parallel", "16"];
/** Approximate number of requests that an up of this stack sends, conversations included. */
const REQUESTS = 90;

interface Member {
  readonly id: string;
  mood: Mood;
  onFailure: "fail" | "restore";
  image: string;
  /** The image of the revision that the state records, if its rollout ended well; otherwise undefined. */
  good: string | undefined;
  /** `new`: no up has tried the program's image yet. */
  status: "new" | "right" | "unverified" | "failed";
  serving: string;
  revisions: number;
}

/** Changes the expected state of a member as the rule demands after one up. `mood`: how the runtime replied. */
function tried(member: Member, mood: Mood = member.mood): void {
  if (member.status === "right") return;
  // If the revision did not reply, the up asks it again; otherwise, the up makes a new revision.
  if (member.status !== "unverified") {
    member.revisions += 1;
    member.serving = member.image;
  }
  if (mood === "silent") Object.assign(member, { status: "unverified", good: undefined });
  else if (mood === "right") Object.assign(member, { status: "right", good: member.image });
  else {
    member.status = "failed";
    if (member.onFailure === "fail") member.good = undefined;
    if (member.good === undefined) return;
    member.revisions += 1;
    member.serving = member.good;
  }
}

export interface Round {
  readonly rollouts: number;
  readonly killed: number;
  readonly killedInConversation: number;
  readonly restored: number;
  readonly unanswered: number;
  /** A description of the first violations; empty if the service obeys the rule. */
  readonly story: string;
}

export class ProvenFleet {
  readonly #members = new Map<string, Member>();
  /** Number of requests to deployments since the run began. */
  #conversing = 0;

  private constructor(
    readonly service: Service,
    readonly runtime: ProvingRuntime,
    readonly stack: FaultStack,
  ) {}

  static async on(): Promise<ProvenFleet> {
    const service = await startService();
    const runtime = await provingRuntime(service.emulator);
    const fleet = new ProvenFleet(service, runtime, await new FaultStack(service.gate).init());
    runtime.before = async () => {
      fleet.#conversing += 1;
    };
    const names = Array.from({ length: SIZE }, (_, index) => `chat-${index}`);
    const plain = names.map((name) => [name, argumentsOf(name, "right-0")]);
    await fleet.stack.must(Object.fromEntries(plain), ...UP);
    for (const { id, name } of service.emulator.deployments())
      fleet.#members.set(name, {
        ...{ id, mood: "right", onFailure: "fail", image: "right-0", good: "right-0" },
        ...{ status: "right", serving: "right-0", revisions: 1 },
      });
    return fleet;
  }

  /**
   * Changes the program and applies it, often after a run that is killed. Sometimes applies the program a second time,
   * perhaps with only right replies.
   */
  async round(random: Random, number: number): Promise<Round> {
    const drawn = [...this.#members.values()].filter(() => random.chance(0.9));
    for (const member of drawn) {
      const mood = random.pick<Mood>(["right", "wrong", "failing", "silent"]);
      const onFailure = random.pick(["fail", "restore"] as const);
      Object.assign(member, { mood, onFailure, image: `${mood}-${number}`, status: "new" });
    }
    const end = random.chance(0.8) ? await this.#killed(random) : undefined;
    const stories = [await this.#applied()];
    const unanswered = drawn.filter(({ status }) => status === "unverified").length;
    const restored = drawn.filter(({ status, good }) => status === "failed" && good !== undefined).length;
    if (random.chance(0.4)) stories.push(await this.#applied(random.pick([undefined, "right"])));
    return {
      rollouts: drawn.length,
      killed: end === undefined ? 0 : 1,
      killedInConversation: end?.isConversing === true ? 1 : 0,
      restored,
      unanswered,
      story: stories.find((story) => story !== "") ?? "",
    };
  }

  get #program(): Program {
    const members = [...this.#members].map(([name, { id, image, onFailure }]) => {
      const verify = {
        deploymentUrl: `${this.runtime.url}/runtime/${id}`,
        assistantId: "echo",
        messages: [{ role: "user", content: "hello" }],
        expect: { contains: "hello" },
      };
      return [name, { ...argumentsOf(name, image), rollout: { onFailure, verify } }];
    });
    return Object.fromEntries(members);
  }

  /**
   * Kills a run at a random request; returns undefined if the run ended before that request. A member counts as tried
   * if its latest revision in the state has changed.
   */
  async #killed(random: Random): Promise<{ readonly isConversing: boolean } | undefined> {
    const before = await this.#latestRevisions();
    const [at, victim] = [1 + random.below(REQUESTS), random.pick(["CLI", "both"] as const)];
    const running = this.stack.start(this.#program, ...UP);
    const isConversing = await this.#request(at, running);
    const killed = await killIn(running, victim, this.service).catch(() => undefined);
    await running.ended;
    if (killed !== undefined) await this.stack.cancel();
    const after = await this.#latestRevisions();
    for (const { id } of this.#members.values())
      if (killed === undefined || after.get(id) !== before.get(id)) tried(this.#memberOf(id));
    return killed && { isConversing };
  }

  /**
   * Resolves at the request with that number, or at the end of the run. Returns whether the last request went to a
   * deployment.
   */
  async #request(at: number, { child }: Running): Promise<boolean> {
    const { arrivals } = this.service.gate;
    arrivals.length = 0;
    this.#conversing = 0;
    let asked = 0;
    while (arrivals.length + this.#conversing < at && child.exitCode === null) {
      asked = this.#conversing;
      await new Promise((done) => setTimeout(done, 1));
    }
    return this.#conversing > asked;
  }

  #memberOf(id: string): Member {
    return [...this.#members.values()].find((member) => member.id === id) as Member;
  }

  /** The latest revision of each deployment in the state, by the deployment's id. */
  async #latestRevisions(): Promise<Map<string, unknown>> {
    const { resources = [] } = await this.stack.state();
    const deployments = resources.filter(({ type }: { type: string }) => type.endsWith(":Deployment"));
    return new Map(
      deployments.map(({ id, outputs }: { id: string; outputs: { latestRevisionId: unknown } }) => [
        id,
        outputs.latestRevisionId,
      ]),
    );
  }

  /** Applies the program; returns a description of all violations of the rule. */
  async #applied(mood?: Mood): Promise<string> {
    const members = [...this.#members.values()];
    const asked = members.filter(({ status }) => status === "unverified").map(({ id }) => id);
    this.service.emulator.requests.length = 0;
    this.runtime.mood = mood;
    const up = await this.stack.run(this.#program, ...UP);
    this.runtime.mood = undefined;
    for (const member of members) tried(member, mood);
    const written = writesTo(this.service.emulator, asked);
    const strays = members.flatMap((member) => this.#strayOf(member));
    const isRight = members.every(({ status }) => status === "right");
    const faults = [
      ...strays,
      ...written.map((path) => `a write for a revision that is only to be asked again: ${path}`),
      ...((up.code === 0) === isRight ? [] : [`the up ended with ${up.code}`]),
    ];
    return faults.length === 0 ? "" : `${faults.join("\n")}\n${up.text}`;
  }

  #strayOf(member: Member): string[] {
    const stored = this.service.emulator.deployments().find(({ id }) => id === member.id);
    const serving = stored?.revisions.find(({ id }) => id === stored.active_revision_id);
    const image = String((serving?.source_revision_config as { image_uri?: unknown } | undefined)?.image_uri);
    const count = stored?.revisions.length;
    if (image === member.serving && count === member.revisions) return [];
    const words = `${stored?.name}: ${image} serves, ${count} revisions; by the rule: ${JSON.stringify(member)}`;
    // From now on, expects the state that the service has, so that later rounds do not report this violation again.
    Object.assign(member, { serving: image, revisions: count ?? 0 });
    return [words];
  }
}

const argumentsOf = (name: string, image: string) => ({
  name,
  source: "external_docker",
  sourceRevisionConfig: { imageUri: image },
  secrets: { TOKEN: `secret-value-of-${name}` },
});

const writesTo = (emulator: Emulator, ids: readonly string[]): string[] =>
  emulator.requests
    .filter(
      ({ method, path }) =>
        method !== "GET" && path.startsWith("/v2/") && ids.some((id) => path.includes(id)),
    )
    .map(({ method, path }) => `${method} ${path}`);
