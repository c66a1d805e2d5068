/** Runs one unusual update (a `Road`) in each slot of a stack: prepares, plans, applies and judges the updates. */
import * as fc from "fast-check";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { holds } from "../../provider/schema/compare";
import { deploymentRows } from "../../provider/schema/deployment";
import { type Properties, propertiesIn } from "../../provider/schema/value";
import { rowsToWire } from "../../provider/schema/wire";
import type { DeploymentState, EmulatorOptions } from "../../sdk/emulator/index";
import { isPlugin } from "../support/engine/form";
import type { Running } from "../support/faults/faultStack";
import { Gate } from "../support/faults/gate";
import { killIn } from "../support/faults/killCase";
import { type ProvingRuntime, provingRuntime } from "../support/provingRuntime";
import { atRest } from "./edits";
import type { Seen, Update } from "./oracle";
import { Project } from "./project";
import { failedIn, slotOf } from "./refusals";
import { deploymentIn, type Ground, groundOf, type Kind, type Road, roadOf, wireOf } from "./roads";
import { type Ended, Rounds } from "./rounds";
import { Services } from "./services";
import { type Slot, urnOf } from "./slots";
import { GO_ON, type Misser } from "./stack";
import { settled } from "./values";

export interface RoadCase {
  readonly ground: Ground;
  /** The unusual updates, by slot number; null if the slot is empty. */
  readonly roads: readonly (Road | null)[];
}

export interface Travelled {
  readonly misses: readonly string[];
  /** For each kind, the number of all updates and the number of updates with misses. */
  readonly kinds: { readonly [kind in Kind]?: readonly [updates: number, missed: number] };
}

export function roadCaseOf(profile: Ground["profile"], seed: number, slots: number): RoadCase {
  const sample = <T>(drawn: fc.Arbitrary<T>) => fc.sample(drawn, { numRuns: 1, seed })[0] as T;
  const ground = sample(groundOf(profile));
  const roads = Array.from({ length: slots }, (_, index) => roadOf(index, ground));
  return { ground, roads: sample(fc.tuple(...roads)) };
}

export async function travel(
  label: string,
  roads: RoadCase,
  options: EmulatorOptions = {},
): Promise<Travelled> {
  const services = await Services.start(roads.ground.profile, options);
  const [service] = services.emulators;
  const gate = await Gate.before(service.url);
  const project = new Project(services, {
    DEPLOYMENT_CONTROL_BASE_URL: gate.url,
    // A short time-out limits how long `pulumi up` waits for a killed run's last request.
    DEPLOYMENT_CONTROL_REQUEST_TIMEOUT_SECONDS: "3",
    DEPLOYMENT_CONTROL_MAX_RETRIES: "0",
    DEPLOYMENT_CONTROL_MAX_CONCURRENCY: "99",
  });
  try {
    await project.must("stack", "init", "test");
    return await new Roads(services, project, label, roads, gate, await provingRuntime(service)).travelled();
  } finally {
    await Promise.all([gate.close(), services.close()]);
    project.close();
  }
}

class Roads extends Rounds {
  readonly #roads: ReadonlyMap<number, Road>;
  readonly #ground: Ground;
  readonly #missed = new Set<number>();
  #isJudged = false;
  /** The slots whose programs were applied only in part. The next `pulumi up` may send requests for these slots. */
  readonly #unfinished = new Set<number>();
  /** The id of each slot's first deployment. */
  readonly #ids = new Map<number, string>();

  constructor(
    services: Services,
    project: Project,
    label: string,
    { ground, roads }: RoadCase,
    readonly gate: Gate,
    readonly runtime: ProvingRuntime,
  ) {
    super(services, project, label);
    this.#ground = ground;
    this.#roads = new Map(roads.flatMap((road, index) => (road === null ? [] : [[index, road]])));
  }

  get #service() {
    return this.services.emulators[0];
  }

  async travelled(): Promise<Travelled> {
    this.#connect("one", "far");
    for (const [index, { existing }] of this.#roads)
      if (existing !== undefined) this.#ids.set(index, await this.services.existing(existing));
    const size = Math.max(...this.#roads.keys()) + 1;
    await this.begin(Array.from({ length: size }, (_, index) => this.#roads.get(index)?.first ?? {}));
    for (const { id, name } of this.services.deployments()) this.#ids.set(slotOf(String(name)), id);
    await this.#cutShort();
    await this.#kill();
    await this.#release("before");
    if (this.#ground.isRefreshed) await this.project.must("refresh", "--yes");
    this.#connect(...(this.#ground.dropsOld ? [] : ["one"]), "uno", "far");
    const edited = this.#slots((_, { next }) => next);
    await this.round(edited, [], [], () => this.#release("meanwhile"));
    if (!this.#isJudged) throw new Error(`${this.label}: the plan is refused even without the changes`);
    await this.#applyAgain();
    const kinds: { [kind in Kind]?: [number, number] } = {};
    for (const [index, { kind }] of this.#roads) {
      const [updates, missed] = kinds[kind] ?? [0, 0];
      kinds[kind] = [updates + 1, missed + Number(this.#missed.has(index))];
    }
    return { misses: this.agreement.misses, kinds };
  }

  /** There is only one round, so a slot that failed may stay as it is. */
  override async restored(): Promise<boolean> {
    return true;
  }

  protected override misser(): Misser {
    return (index, words) => {
      const road = this.#roads.get(index);
      // The plan cannot know how a killed update or a resumed wait ends, or which values adopted secrets have.
      const isOpen = ["killed", "move", "restore"].includes(String(road?.kind));
      if (isOpen && words.includes('the line says "may" although')) return;
      if (road?.fails && words.startsWith("the plan was not refused, but its up failed")) return;
      this.#missed.add(index);
      this.#unfinished.add(index);
      const isAbout = (line: string, at: number) => at === 0 || new RegExp(`-${index}\\b`).test(line);
      const roads = Array.from({ length: index + 1 }, (_, at) => (at === index ? road : null));
      const roadCase = JSON.stringify({ ground: this.#ground, roads });
      this.record(
        `${road?.kind}, ${this.label}, slot ${index}: ${words.split("\n").filter(isAbout).join("\n")}\n  ${isPlugin ? "FORM=plugin " : ""}ROADS_CASE='${roadCase}'`,
      );
    };
  }

  protected override judged({ before, after, report, result }: Update, ended: Ended, miss: Misser): void {
    const { refused, failing } = ended;
    this.#isJudged = true;
    for (const index of [...refused, ...failing]) this.#unfinished.add(index);
    for (const [index, road] of this.#roads) {
      const { args, name } = deploymentIn(road.next);
      const entry = report.deployments.find((each) => each.name === name);
      // After a failure, the engine drops the steps that it has not begun.
      const isDropped = result.outcomes.some((each) => each.name === name && each.happened === "not-applied");
      if (failing.size > 0 && isDropped) this.#unfinished.add(index);
      if (refused.has(index) || entry === undefined || (failing.size > 0 && isDropped)) continue;
      const { verdict } = entry;
      const made = revisionsIn(after, index) - revisionsIn(before, index);
      const isCreation = road.kind === "adoption" && road.existing === undefined;
      if (args.newRevisions === "forbid" && made > 0 && !isCreation)
        miss(index, `newRevisions forbids it, but ${made} revisions were made`);
      if (failing.has(index) && made > 0 && ["in-place", "unchanged"].includes(verdict))
        miss(index, `the report says ${verdict}; the up failed, but made ${made} revisions`);
      if (road.verdicts?.includes(verdict) === false)
        miss(index, `the report says ${verdict}, but right is ${road.verdicts.join(" or ")}`);
      if (road.fails && !failing.has(index)) miss(index, "the revision is bad, but the up did not fail");
      if (failing.has(index) && !road.fails) continue;
      const id = after.ids.get(entry.urn);
      const words = differenceOf(road, after.deployments.get(id ?? ""), this.services.profile);
      if (words !== undefined) miss(index, words);
    }
    this.#expectKept(after, miss);
  }

  /** Every deployment whose id is in the state must exist on the service. */
  #expectKept({ ids, deployments }: Seen, miss: Misser): void {
    for (const [urn, id] of ids) {
      const [type = "", name = ""] = urn.split("::").slice(-2);
      if (/:Deployment$/.test(type) && !deployments.has(id))
        miss(slotOf(name), `${id} is gone, but ${name} keeps it`);
    }
  }

  /** Applies the updates whose verification gets no reply, or whose revisions do not finish in time. */
  async #cutShort(): Promise<void> {
    const cuts = this.#cuts("unanswered", "stuck");
    if (cuts.size === 0) return;
    for (const [index, { how }] of cuts) {
      const match = { pathPattern: new RegExp(this.#id(index)) };
      if (how === "stuck") this.#service.failNext({ kind: "revision", status: "DEPLOYING", match });
    }
    const slots = this.#slots((slot, _, index) => cuts.get(index)?.slot ?? slot);
    this.runtime.mood = "silent";
    await this.declare(slots);
    await this.project.up(GO_ON, "--parallel", "99");
    this.runtime.mood = undefined;
    this.slots = slots;
    for (const [index, { ends }] of cuts) if (ends !== undefined) this.#service.settle(this.#id(index), ends);
  }

  /** Kills `pulumi up` after the service has received the updates. */
  async #kill(): Promise<void> {
    const cuts = this.#cuts("killed");
    if (cuts.size === 0) return;
    const { kill, isHeld, afterKill } = this.#ground;
    await this.declare(this.#slots((slot, _, index) => cuts.get(index)?.slot ?? slot));
    const arrived = [...cuts].map(([index, { method = "PATCH" }]) => {
      const place = new RegExp(this.#id(index));
      return isHeld ? this.gate.hold("answer", method, place) : this.gate.arrival(method, place);
    });
    const targets = [...cuts].flatMap(([, { slot }]) => ["--target", urnOf(slot, "main")]);
    this.#service.behaviour.revisionStatuses = ["CREATING", "DEPLOYING"];
    // With `--continue-on-error`, the command would not end after the second Ctrl-C, but would wait for its program.
    const running = this.project.startUp("--parallel", "99", ...targets);
    await Promise.race([Promise.all(arrived), running.ended]);
    // Gives the journal time to record the answers that are not held back.
    await new Promise((done) => setTimeout(done, 200));
    if (kill === "Ctrl-C") await interrupt(running);
    else await killIn(running, kill, { gate: this.gate, emulator: this.#service });
    this.#service.behaviour.revisionStatuses = undefined;
    await this.project.afterKill();
    for (const index of cuts.keys()) this.#service.settle(this.#id(index), "DEPLOYED");
    // After the second Ctrl-C, the stack's history shows the update as ended. Without the journal, `recover` therefore
    // cannot know that a later revision belongs to this update.
    const losesJournal = afterKill === "recover without the journal" && kill !== "Ctrl-C";
    if (afterKill !== "nothing") await this.project.recover(losesJournal);
  }

  async #release(moment: "before" | "meanwhile"): Promise<void> {
    const isByCall = this.services.profile === "langsmith";
    for (const [index, { release, next }] of this.#roads) {
      if (release?.when !== moment) continue;
      const { value, branch, isForm } = release;
      const wire = wireOf(deploymentIn(next).args);
      const path = `/v2/deployments/${this.#id(index)}${isByCall ? "/revisions" : ""}`;
      const body = { source_revision_config: { [wire]: branch ?? value } };
      if (!isForm) await this.services.send(isByCall ? "POST" : "PATCH", path, body);
      // The service resolves the branch to a commit, and shows both.
      this.#service.change(this.#id(index), {
        source_revision_config: { [wire]: value },
        ...(branch !== undefined && { source_config: { repo_branch: branch } }),
      });
    }
  }

  /**
   * Applies the same programs again. Only slots that were applied in part may send writes, such as the deletions that
   * a failed update left undone. A program with a bad revision returns to its original version, so that nothing fails.
   */
  async #applyAgain(): Promise<void> {
    const [before, miss] = [await this.seen(), this.misser()];
    await this.declare(this.#slots((slot, { fails, first }) => (fails ? first : atRest(slot))));
    this.services.writes();
    const { events } = await this.project.up(GO_ON);
    const after = await this.seen();
    const written = new Set(this.services.writes().map((path) => path.split("/")[3]));
    const isWritten = (index: number) =>
      [...after.deployments.values()].some(({ id, name }) => slotOf(name) === index && written.has(id)) ||
      revisionsIn(before, index) !== revisionsIn(after, index);
    this.#expectKept(after, miss);
    for (const index of failedIn(events))
      if (!this.#unfinished.has(index)) miss(index, "the next update fails");
    for (const index of this.#roads.keys())
      if (isWritten(index) && !this.#unfinished.has(index))
        miss(index, "the next update writes, but nothing has changed");
  }

  #connect(...names: readonly string[]): void {
    const { profile, emulators } = this.services;
    const urlOf = (name: string) => (name === "far" ? emulators[1].url : this.gate.url);
    const connections = names.map((name) => [name, { baseUrl: urlOf(name), profile }]);
    this.project.set({ DEPLOYMENT_CONTROL_CONNECTIONS: JSON.stringify(Object.fromEntries(connections)) });
  }

  #cuts(...how: readonly string[]): Map<number, NonNullable<Road["cut"]>> {
    return new Map(
      [...this.#roads].flatMap(([index, { cut }]) => (cut && how.includes(cut.how) ? [[index, cut]] : [])),
    );
  }

  /** The slots after a change, with ids and addresses in place of the placeholders. */
  #slots(change: (slot: Slot, road: Road, index: number) => Slot): Slot[] {
    return this.slots.map((slot, index) => {
      const road = this.#roads.get(index);
      if (road === undefined) return slot;
      const text = JSON.stringify(change(slot, road, index));
      const filled = text.replaceAll("$ID", this.#ids.get(index) ?? "");
      return JSON.parse(filled.replaceAll("$RUNTIME", this.runtime.url));
    });
  }

  #id(index: number): string {
    return this.#ids.get(index) as string;
  }
}

/** Sends Ctrl-C twice: the first asks the command to stop, and the second makes it stop at once. */
async function interrupt({ child, ended }: Running): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    child.kill("SIGINT");
    await Promise.race([ended, new Promise((done) => setTimeout(done, 500))]);
  }
  await ended;
}

/** The total number of revisions of the slot's deployments. */
function revisionsIn({ deployments }: Seen, index: number): number {
  const ofSlot = [...deployments.values()].filter(({ name }) => slotOf(name) === index);
  return ofSlot.reduce((sum, { revisions }) => sum + revisions.length, 0);
}

/** How the deployment differs from its expected state; undefined if it does not differ. */
function differenceOf(
  { next, serves }: Road,
  deployment: DeploymentState | undefined,
  profile: Ground["profile"],
): string | undefined {
  const args = settled(deploymentIn(next).args);
  const wire = wireOf(args);
  const variables = { ...propertiesIn(args.environment), ...propertiesIn(args.secrets) };
  const body = rowsToWire(deploymentRows, { ...args, secrets: variables }, PROFILES[profile] as Profile);
  const { [wire]: program, ...settings } = propertiesIn(body.source_revision_config);
  const runs = String(deployment?.source_revision_config[wire]);
  const right = serves ?? [program];
  if (!right.includes(runs)) return `it runs ${runs}, but right is ${right.join(" or ")}`;
  const target: Properties = { ...body, source_revision_config: settings, secrets: valuesOf(body.secrets) };
  const live: Properties = { ...deployment, secrets: valuesOf(deployment?.secrets) };
  const names = Object.keys(target).filter((name) => !holds(live[name], target[name]));
  const shown = (each: Properties) => JSON.stringify(names.map((name) => each[name]));
  return names.length === 0 ? undefined : `it has ${shown(live)}, but the program says ${shown(target)}`;
}

const valuesOf = (secrets: unknown): Properties =>
  Object.fromEntries((secrets as DeploymentState["secrets"]).map(({ name, value }) => [name, value]));
