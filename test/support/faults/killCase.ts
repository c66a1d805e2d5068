/**
 * One case of the kill matrix: the moment of the kill, the processes to kill, and the result of the next `pulumi up`.
 */
import { isPlugin } from "../engine/form";
import { freshFolder } from "../journalFolder";
import {
  descendantsOf,
  type Ended,
  FaultStack,
  kill,
  providersIn,
  type Running,
  type Service,
  secondsUntilGone,
  startService,
} from "./faultStack";
import { chat, POINTS, type Point } from "./killPoints";
import { tellFigures } from "./size";

type Victim = "CLI" | "provider" | "both";
const VICTIMS: readonly Victim[] = ["CLI", "provider", "both"];

/** Every kill point with every victim. */
export const MATRIX = Object.keys(POINTS).flatMap((name) => VICTIMS.map((victim) => [name, victim] as const));

interface Finding {
  readonly runs: number;
  /** Number of surplus deployments: a name should belong to only one deployment. */
  readonly duplicates: number;
  /** Number of deployments that the state or the service lacks. */
  readonly lost: number;
  /** Number of cases in which the next `pulumi up` failed, or in which the preview after it still planned changes. */
  readonly notConverged: number;
  /** Number of revisions that no change to the program needs. */
  readonly needless: number;
  /** Number of requests that arrived after the engine had ended. */
  readonly requestsAfterDeath: number;
  /** Number of provider processes that did not end with their engine. */
  readonly orphans: number;
  /** The longest time from the kill of an engine to the end of its provider process, if every write was answered. */
  readonly longestSeconds: number;
  /** The longest time from the kill of an engine to the end of its provider process, if a write was unanswered. */
  readonly longestOwed: number;
  readonly stories: readonly string[];
}

const NOTHING: Finding = {
  runs: 0,
  duplicates: 0,
  lost: 0,
  notConverged: 0,
  needless: 0,
  requestsAfterDeath: 0,
  orphans: 0,
  longestSeconds: 0,
  longestOwed: 0,
  stories: [],
};

/** The figures of a flawless matrix, whatever the number of runs. */
const { runs: _runs, longestSeconds: _longest, longestOwed: _owed, ...GOOD } = NOTHING;

/**
 * Returns a function that expects a finding to have these figures; by default, the figures of a flawless finding. After
 * the last test, prints the figures of all findings.
 */
export function tally(label: string, expected: Partial<Finding> = GOOD): (finding: Finding) => void {
  let total = NOTHING;
  afterAll(() => tellFigures(`${label}${isPlugin ? ", plugin" : ""}: ${figuresOf(total)}`));
  return (finding) => {
    total = together(total, finding);
    expect(finding).toMatchObject(expected);
  };
}

function together(a: Finding, b: Finding): Finding {
  return {
    runs: a.runs + b.runs,
    duplicates: a.duplicates + b.duplicates,
    lost: a.lost + b.lost,
    notConverged: a.notConverged + b.notConverged,
    needless: a.needless + b.needless,
    requestsAfterDeath: a.requestsAfterDeath + b.requestsAfterDeath,
    orphans: a.orphans + b.orphans,
    longestSeconds: Math.max(a.longestSeconds, b.longestSeconds),
    longestOwed: Math.max(a.longestOwed, b.longestOwed),
    stories: [...a.stories, ...b.stories],
  };
}

interface Killed {
  readonly requestsAfterDeath: number;
  /** Milliseconds from the engine's death to the last late request; `late`: the methods of all late requests. */
  readonly latestMs: number;
  readonly late: readonly string[];
  /** Seconds from the kill of the engine to the end of its provider process; 0 if the kill hit the provider too. */
  readonly seconds: number;
  /** Whether the provider processes ended by themselves. */
  readonly byThemselves: boolean;
  /** Whether a write was unanswered at the kill. */
  readonly owed: boolean;
}

/** A write that was sent before the engine's death may arrive up to this many milliseconds after the death. */
const LATE_WRITE_MS = 5;
/**
 * Directly before a write, the provider checks that the engine is alive. A read relies on the last check, so a read may
 * follow the engine's death by this many milliseconds.
 */
const LATE_READ_MS = 250;

/** Kills the victim, and waits until all processes of the command have ended. */
export async function killIn(running: Running, victim: Victim, { gate }: Service): Promise<Killed> {
  const pid = running.child.pid as number;
  const below = await descendantsOf(pid);
  const providers = providersIn(below);
  const owed = gate.owesAnswer;
  if (providers.length === 0) throw new Error(`no provider process below ${JSON.stringify(below)}`);
  const killedAt = Date.now();
  kill([...(victim === "CLI" ? [] : providers), ...(victim === "provider" ? [] : [pid])]);
  await running.ended;
  const died = Date.now();
  const { seconds, byThemselves } = await secondsUntilGone(providers, killedAt);
  kill(below.map((each) => each.pid));
  const late = gate.arrivals.filter(
    ({ at, method }) => at > died + (method === "GET" ? LATE_READ_MS : LATE_WRITE_MS),
  );
  const latestMs = Math.max(0, ...late.map(({ at }) => at - died));
  const afterDeath = { requestsAfterDeath: late.length, latestMs, late: late.map(({ method }) => method) };
  return { ...afterDeath, seconds: victim === "CLI" ? seconds : 0, byThemselves, owed };
}

/** Number of revisions that a case needs: one for the creation, and one more for the update. */
const WARRANTED = { create: 1, update: 2, delete: 1 } as const;

interface Variation {
  readonly naive?: boolean;
  /** Environment variables in addition to those of the kill point. */
  readonly environment?: Record<string, string>;
  /** Whether the stack uses the dynamic form before the kill, and the plugin after the kill. */
  readonly moves?: boolean;
  /**
   * Whether the runs after the kill are on a second machine. It shares only the backend, and perhaps the journal, with
   * the first machine.
   */
  readonly elsewhere?: boolean;
  /**
   * Whether `recover` runs on the second machine before `pulumi up`. If this option is set, even to false, the second
   * machine has no journal.
   */
  readonly recovers?: boolean;
}

export async function oneCase(
  name: string,
  victim: Victim,
  {
    naive = false,
    moves = false,
    elsewhere = false,
    recovers,
    environment: furtherVariables = {},
  }: Variation = {},
): Promise<Finding> {
  const point = POINTS[name] as Point;
  const service = await startService({ profile: point.profile });
  const isKept = elsewhere && recovers === undefined;
  const environment = {
    DEPLOYMENT_CONTROL_PROFILE: point.profile,
    ...point.environment,
    ...(isKept ? { DEPLOYMENT_CONTROL_JOURNAL: freshFolder() } : undefined),
    ...furtherVariables,
  };
  const stack = await new FaultStack(service.gate, { naive, environment }).init();
  if (point.operation !== "create") await stack.mustUp({ chat: chat() });
  Object.assign(service.emulator.behaviour, point.before);
  service.gate.arrivals.length = 0;
  const reached = point.reached(service, stack);
  const running = stack.startUp(point.program);
  await Promise.race([reached, running.ended.then(early)]);
  const killed = await killIn(running, victim, service);
  service.emulator.behaviour.revisionSeconds = 0;
  const next = elsewhere ? await stack.elsewhere() : stack;
  await next.cancel();
  if (moves) next.moveToPlugin();
  const recovered = recovers === true ? await next.recover() : { code: 0, text: "" };
  const ended = await next.up(point.program);
  // Exit code 2 of `recover` says only that an operation was pending.
  const up = { code: recovered.code === 1 ? 1 : ended.code, text: recovered.text + ended.text };
  return findingAfter(`${name}, ${victim} killed`, service, next, point, killed, up);
}

function early({ text }: Ended): never {
  throw new Error(`the command ended before the moment came:\n${text}`);
}

/** Counts the faults in the service and in the state after the `pulumi up` that follows the kill. */
async function findingAfter(
  what: string,
  { emulator }: Service,
  stack: FaultStack,
  { program, operation }: Point,
  killed: Killed,
  up: Ended,
): Promise<Finding> {
  const preview = await stack.run(program, "preview", "--expect-no-changes");
  const names = Object.values(program).map((args) => (args as { name: string }).name);
  const living = emulator.deployments().filter(({ status }) => status !== "AWAITING_DELETE");
  const surplus = living.length - new Set(living.map(({ name }) => name)).size;
  const ids = await stack.ids();
  const unknown = living.filter(({ id }) => !ids.includes(id)).length - surplus;
  const missing = ids.filter((id) => !living.some((each) => each.id === id)).length;
  const absent = names.filter((name) => !living.some((each) => each.name === name)).length;
  const lost = Math.max(0, unknown) + missing + absent;
  const surplusOf = ({ revisions }: { revisions: readonly unknown[] }) =>
    Math.max(0, revisions.length - WARRANTED[operation]);
  const needless = living.map(surplusOf).reduce((sum, each) => sum + each, 0);
  const converged = up.code === 0 && preview.code === 0;
  const isGood =
    surplus + lost + needless === 0 && converged && killed.requestsAfterDeath === 0 && killed.byThemselves;
  const how = JSON.stringify(killed);
  return {
    runs: 1,
    duplicates: surplus,
    lost,
    notConverged: converged ? 0 : 1,
    needless,
    requestsAfterDeath: killed.requestsAfterDeath,
    orphans: killed.byThemselves ? 0 : 1,
    longestSeconds: killed.owed ? 0 : killed.seconds,
    longestOwed: killed.owed ? killed.seconds : 0,
    stories: isGood ? [] : [`${what}, ${how}:\n${up.text}\n${converged ? "" : preview.text}`],
  };
}

export function figuresOf(finding: Finding): string {
  return (
    `${finding.runs} runs, ${finding.duplicates} duplicates, ${finding.lost} lost, ${finding.notConverged} not converged, ` +
    `${finding.needless} needless revisions, ${finding.requestsAfterDeath} requests after the engine's death, ${finding.orphans} orphans, provider gone within ${finding.longestSeconds.toFixed(2)} s, ` +
    `within ${finding.longestOwed.toFixed(2)} s where it was owed an answer`
  );
}
