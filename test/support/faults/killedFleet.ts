/**
 * Fifty deployments with listeners, token labels and a Rollout. Runs change the deployments at random, and are
 * killed at random moments.
 */
import type { Emulator } from "../../../sdk/emulator/index";
import { ask } from "../embeddedService";
import { isPlugin } from "../engine/form";
import {
  descendantsOf,
  FaultStack,
  isAlive,
  providersIn,
  type Running,
  type Service,
  startService,
} from "./faultStack";
import { killIn } from "./killCase";
import { Random, SEED } from "./random";
import { tellFigures } from "./size";

const SIZE = 50;
const KEY = "key-of-the-fleet";
const TOKENS = ["token-1", "token-2"];
const LISTENERS = ["one", "two"];

interface Member {
  /** The deployment's arguments. A replacement changes `name`, but not the resource's name in the program. */
  readonly args: {
    readonly name: string;
    readonly source: string;
    readonly onDestroy: "delete";
    readonly adopt?: boolean;
    readonly sourceConfig: { readonly customUrl: string };
    readonly sourceRevisionConfig: { readonly imageUri: string };
    readonly secrets: { readonly TOKEN: string };
    readonly rollout: { readonly wait: boolean };
  };
  /** Number of revisions that the deployment's creation and changes have required so far. */
  readonly revisions: number;
}

interface Outcome {
  readonly duplicates: number;
  readonly lost: number;
  readonly needless: number;
  /** Number of requests that arrived after the engine had ended. */
  readonly requestsAfterDeath: number;
  /**
   * Seconds from the kill of the engine to the end of the provider process; 0 if the process was killed too, or had
   * already ended.
   */
  readonly seconds: number;
  /** A description of the faults; empty if there are none. */
  readonly story: string;
}

interface Kills {
  readonly label: string;
  readonly runs: number;
  readonly environment?: Record<string, string>;
  /**
   * Whether `recover` and the next run after a kill are on a second machine. With `recover`, the program declares no
   * deployment with `adopt`.
   */
  readonly recovers?: boolean;
}

/** Kills `runs` runs in all, up to eight for each fleet, prints the figures, and expects no faults. */
export async function expectNoFaults({ label, runs, environment = {}, recovers = false }: Kills) {
  const none = { runs: 0, duplicates: 0, lost: 0, notConverged: 0, needless: 0, requestsAfterDeath: 0 };
  const counted = { ...none };
  const stories: string[] = [];
  let longest = 0;
  for (let seed = SEED; counted.runs < runs; seed += 1) {
    const random = new Random(seed);
    const fleet = await Fleet.on(random, environment, recovers);
    for (let run = 0; run < 8 && counted.runs < runs; run += 1) {
      const outcome = await fleet.killedRun(random, run);
      counted.runs += 1;
      counted.duplicates += outcome.duplicates;
      counted.lost += outcome.lost;
      counted.notConverged += outcome.story === "" ? 0 : 1;
      counted.needless += outcome.needless;
      counted.requestsAfterDeath += outcome.requestsAfterDeath;
      longest = Math.max(longest, outcome.seconds);
      if (outcome.story !== "") stories.push(`seed ${seed}, run ${run}: ${outcome.story}`);
    }
  }
  tellFigures(
    `runs of ${SIZE} killed at random, ${label}${isPlugin ? ", plugin" : ""}: ${JSON.stringify(counted)}, ` +
      `provider gone within ${longest.toFixed(2)} s`,
  );
  expect(stories).toEqual([]);
  expect(counted).toEqual({ ...none, runs });
}

class Fleet {
  readonly #members = new Map<string, Member>();
  /** The label that the program declares for each token. */
  readonly #labels = new Map(TOKENS.map((id) => [id, "new"]));
  readonly #service: Service;
  /** The stack on the current machine. */
  #stack: FaultStack;
  readonly #recovers: boolean;
  #made = 0;

  private constructor(service: Service, stack: FaultStack, recovers: boolean) {
    this.#service = service;
    this.#stack = stack;
    this.#recovers = recovers;
  }

  static async on(random: Random, environment: Record<string, string>, recovers: boolean): Promise<Fleet> {
    const service = await startService({
      profile: "langsmith",
      apiKey: KEY,
      secretsInResponses: random.pick(["masked", "hidden", "echoed"]),
      revisionSeconds: random.pick([0, 0, 0.3]),
      latencyMs: random.pick([0, 5, 20]),
    });
    for (const id of TOKENS) service.emulator.addToken({ id, owner: KEY });
    const stack = new FaultStack(service.gate, {
      main: "fleet.js",
      environment: {
        ...environment,
        DEPLOYMENT_CONTROL_PROFILE: "langsmith",
        DEPLOYMENT_CONTROL_API_KEY: KEY,
      },
    });
    return new Fleet(service, await stack.init(), recovers);
  }

  /** Changes the program, kills its run during or after the writes, and runs the program again. */
  async killedRun(random: Random, run: number): Promise<Outcome> {
    const writes = await this.#change(random, run);
    const { gate } = this.#service;
    gate.arrivals.length = 0;
    const running = this.#stack.startUp(this.#program);
    const at = 1 + random.below(writes + 3);
    await Promise.race([at > writes ? pluginsEnded(running) : this.#written(at), running.ended]);
    await new Promise((done) => setTimeout(done, random.below(30)));
    const killed = await killIn(running, random.pick(["CLI", "both"]), this.#service).catch(() => undefined);
    await running.ended;
    if (this.#recovers) this.#stack = await this.#stack.elsewhere();
    await this.#stack.cancel();
    const recovered = this.#recovers ? await this.#stack.recover() : { code: 0, text: "" };
    const up = await this.#stack.up(this.#program);
    const preview = await this.#stack.run(this.#program, "preview", "--expect-no-changes");
    const figures = await this.#judged();
    const { requestsAfterDeath = 0, seconds = 0, byThemselves = true } = killed ?? {};
    const wrong = figures.duplicates + figures.lost + figures.needless + requestsAfterDeath;
    const isGood = recovered.code !== 1 && up.code === 0 && preview.code === 0 && wrong === 0 && byThemselves;
    const story = `killed at ${at} of ${writes} writes: ${JSON.stringify({ ...figures, ...killed })}\n${recovered.text}\n${up.text}\n${preview.text}`;
    return { ...figures, requestsAfterDeath, seconds, story: isGood ? "" : story };
  }

  async #written(count: number): Promise<void> {
    const { arrivals } = this.#service.gate;
    while (arrivals.filter(({ method }) => method !== "GET").length < count)
      await new Promise((done) => setTimeout(done, 5));
  }

  get #program() {
    const deployments = [...this.#members].map(([name, { args }]) => [name, ["Deployment", args]]);
    const listeners = LISTENERS.map((computeId) => [
      computeId,
      ["Listener", { computeType: "k8s", computeId, computeConfig: { k8sNamespaces: ["default"] } }],
    ]);
    const tokens = [...this.#labels].map(([tokenId, providerAccountLabel]) => [
      tokenId,
      ["TokenMetadata", { tokenId, providerAccountLabel }],
    ]);
    return Object.fromEntries([...listeners, ...tokens, ...deployments, ["all", ["Rollout", {}]]]);
  }

  /** Changes the program at random; returns the number of writes that the change needs. */
  async #change(random: Random, run: number): Promise<number> {
    if (run === 0) {
      while (this.#members.size < SIZE) await this.#add(random);
      return SIZE + LISTENERS.length + TOKENS.length;
    }
    let writes = 0;
    for (const id of TOKENS.filter(() => random.chance(0.5))) {
      this.#labels.set(id, `of run ${run}`);
      writes += 1;
    }
    for (const [name, member] of [...this.#members]) {
      const kind = random.below(6);
      if (kind === 0) this.#members.delete(name);
      if (kind === 1) this.#members.set(name, inPlace(member));
      if (kind === 2) this.#members.set(name, revised(member, { imageUri: `registry.example/chat:${run}` }));
      if (kind === 3) this.#members.set(name, rotated(member, run));
      if (kind === 4 && random.chance(0.5)) this.#members.set(name, this.#replaced(member));
      if (kind < 4) writes += 1;
    }
    while (this.#members.size < SIZE) {
      await this.#add(random);
      writes += 1;
    }
    return writes;
  }

  async #add(random: Random): Promise<void> {
    this.#made += 1;
    const name = `chat-${this.#made}`;
    const adopt = !this.#recovers && this.#made % 10 === 0;
    const member: Member = {
      args: {
        name,
        source: "external_docker",
        onDestroy: "delete",
        ...(adopt && { adopt }),
        sourceConfig: { customUrl: "https://chat.example" },
        sourceRevisionConfig: { imageUri: "registry.example/chat:0" },
        secrets: { TOKEN: `secret-value-${this.#made}` },
        rollout: { wait: random.chance(0.3) },
      },
      // An adopted deployment has no secrets yet, so the program's secrets make a second revision.
      revisions: adopt ? 2 : 1,
    };
    this.#members.set(`member-${this.#made}`, member);
    if (adopt) await this.#makeByHand(name);
  }

  async #makeByHand(name: string): Promise<void> {
    const body = {
      name,
      source: "external_docker",
      source_config: { custom_url: "https://chat.example" },
      source_revision_config: { image_uri: "registry.example/chat:0" },
      secrets: [],
    };
    const credential = { "x-api-key": KEY };
    expect(await ask(this.#service.emulator, "POST", "/v2/deployments", body, credential)).toMatchObject({
      status: 201,
    });
  }

  #replaced({ args }: Member): Member {
    this.#made += 1;
    const { adopt: _adopted, ...others } = args;
    return { args: { ...others, name: `chat-${this.#made}-again` }, revisions: 1 };
  }

  /** Number of tokens without the program's label. */
  async #mislabeled(): Promise<number> {
    const credential = { "x-api-key": KEY };
    const answer = await ask(this.#service.emulator, "GET", "/v2/auth/tokens", undefined, credential);
    const tokens: { id: string; provider_account_label: string | null }[] = answer.body;
    const isRight = ([id, label]: [string, string]) =>
      tokens.some((token) => token.id === id && token.provider_account_label === label);
    return [...this.#labels].filter((each) => !isRight(each)).length;
  }

  async #judged() {
    const living = livingOf(this.#service.emulator);
    const members = [...this.#members.values()];
    const ids = await this.#stack.ids();
    const names = new Set(living.map(({ name }) => name));
    const absent = members.filter(({ args }) => !names.has(args.name)).length;
    const unknown = living.filter(({ id }) => !ids.includes(id)).length;
    const missing = ids.filter((id) => !living.some((each) => each.id === id)).length;
    const surplus = [...this.#members].map(([member, { args, revisions }]) => {
      const revisionCount = living.find(({ name }) => name === args.name)?.revisions.length ?? revisions;
      // Adds the counted surplus revisions to the expected number, so that they are counted only once.
      if (revisionCount > revisions) this.#members.set(member, { args, revisions: revisionCount });
      return { member, count: Math.max(0, revisionCount - revisions) };
    });
    const needless = surplus.reduce((sum, { count }) => sum + count, 0);
    return {
      duplicates: living.length - names.size,
      lost: absent + unknown + missing + (await this.#mislabeled()),
      needless,
      whose: surplus.flatMap(({ member, count }) => (count > 0 ? [member] : [])).join(", "),
    };
  }
}

const inPlace = ({ args, revisions }: Member): Member => ({
  args: { ...args, sourceConfig: { customUrl: `${args.sourceConfig.customUrl}/again` } },
  revisions,
});

const revised = ({ args, revisions }: Member, sourceRevisionConfig: { imageUri: string }): Member => ({
  args: { ...args, sourceRevisionConfig },
  revisions: revisions + 1,
});

const rotated = ({ args, revisions }: Member, run: number): Member => ({
  args: { ...args, secrets: { TOKEN: `rotated-secret-value-${run}` } },
  revisions: revisions + 1,
});

const livingOf = (emulator: Emulator) =>
  emulator.deployments().filter(({ status }) => status !== "AWAITING_DELETE");

/** Resolves after the engine has stopped its plugins and before it writes the state. */
export async function pluginsEnded({ child }: Running): Promise<void> {
  let providers: readonly number[] = [];
  while (providers.length === 0 && child.exitCode === null) {
    providers = providersIn(await descendantsOf(child.pid as number));
    await new Promise((done) => setTimeout(done, 20));
  }
  while (providers.some(isAlive)) await new Promise((done) => setTimeout(done, 5));
}
