import * as fc from "fast-check";
import { createBody } from "../../../../provider/deployment/request";
import { type Properties, withValueAt } from "../../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../../provider/profiles/profiles";
import type { Emulator, ProfileName } from "../../../../sdk/emulator";
import { reordered, servedKeys, updates } from "../../../support/arbitraryArguments";
import { chat, provided, sessionOn } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";

/**
 * Whether the answer shows everything that was sent: each list with exactly the sent elements, and each object with at
 * least the sent members.
 */
function shows(answer: unknown, sent: unknown): boolean {
  if (sent === null || sent === undefined) return true;
  if (Array.isArray(sent))
    return (
      Array.isArray(answer) &&
      sent.length === answer.length &&
      sent.every((each, index) => shows(answer[index], each))
    );
  if (typeof sent !== "object") return answer === sent;
  return Object.entries(sent).every(([name, value]) => shows((answer as Properties | null)?.[name], value));
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
const sorted = (list: unknown) => [...((list ?? []) as { name: string }[])].sort(byName);
const namesIn = (list: unknown): string => JSON.stringify(sorted(list).map(({ name }) => name));
/** A program that declares no entry of a list does not manage the list. */
const isUnmanaged = (list: unknown): boolean => sorted(list).length === 0;

/**
 * Whether the service shows what a creation with these arguments would send. Compares variables only by name, because
 * the service does not show their values.
 */
function isAsSent(record: Properties, args: Properties, profile: ProfileName): boolean {
  const { secrets, secret_references: references, ...sent } = createBody(args, PROFILES[profile] as Profile);
  return (
    shows(record, sent) &&
    (isUnmanaged(secrets) || namesIn(record.secrets) === namesIn(secrets)) &&
    (isUnmanaged(references) || shows(sorted(record.secret_references), sorted(references)))
  );
}

/** Removes from a program the arguments that a creation does not send. */
const UNSENT = { adopt: undefined, newRevisions: undefined, connection: undefined, rollout: undefined };

const built = { repoRef: "main", graphConfigPath: "graph.json" };
/**
 * The deployment `witness` proves that the service shows the names of variables, so an empty list means that there are
 * no variables.
 */
const witness = { ...chat, name: "witness", sourceRevisionConfig: built };

type Case = { readonly emulator: Emulator; readonly profile: ProfileName; readonly index: number };
type Drawn = readonly [maker: Properties, other: Properties];

const recordOf = (emulator: Emulator, id: string): Properties =>
  emulator.deployments().find((each) => each.id === id) as unknown as Properties;

/**
 * Creates a deployment, as an earlier run would, and returns its id; undefined if `check` or the service refuses the
 * arguments.
 */
async function leave({ emulator, profile }: Case, args: Properties): Promise<string | undefined> {
  const { session } = sessionOn(emulator, { profile });
  const { inputs, failures } = await deployment.check(session, undefined, args);
  if (failures.length > 0) return undefined;
  const created = await deployment.create(session, inputs).catch(() => undefined);
  return created?.id;
}

/**
 * The arguments in the program. In half of the cases, either the program differs from the program of the earlier run,
 * or somebody has changed the deployment after that run.
 */
function programFor({ emulator, profile, index }: Case, [args, other]: Drawn, id: string) {
  if (index % 4 === 1 && profile === "contract") return { ...other, ...UNSENT };
  if (index % 2 === 1) emulator.change(id, changeOf(createBody(args, PROFILES[profile] as Profile), index));
  return reordered(args) as Properties;
}

/**
 * The body of an update that changes one sent value. In every eighth case, or if no value was sent, the body adds a
 * secret and changes no value.
 */
function changeOf(sent: Properties, index: number): Properties {
  const sections = { source_config: sent.source_config, source_revision_config: sent.source_revision_config };
  const leaves = leavesIn(sections);
  const leaf = leaves[(index * 7) % Math.max(1, leaves.length)];
  const secrets = [...(sent.secrets as Properties[]), { name: "STRANGER", value: "x" }];
  if (leaf === undefined || index % 8 === 7) return { secrets };
  const [names, value] = leaf;
  const another = typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}x`;
  return withValueAt({}, names, another) as Properties;
}

/** The texts, numbers and booleans that are members of objects, each with its path. */
function leavesIn(value: unknown, names: readonly string[] = []): [readonly string[], unknown][] {
  if (["string", "number", "boolean"].includes(typeof value)) return [[names, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesIn(member, [...names, name]));
}

/** Whether the deployment was taken over; undefined if `check` or the service refuses the arguments. */
async function attempt(drawnCase: Case, [maker, other]: Drawn): Promise<boolean | undefined> {
  const { emulator, profile, index } = drawnCase;
  const args = { ...maker, ...UNSENT, name: `drawn-${index}` };
  const id = await leave(drawnCase, args);
  if (id === undefined) return undefined;
  const program = programFor(drawnCase, [args, other], id);
  const adoptingArgs = { ...program, name: args.name, adopt: "identical" };
  const run = sessionOn(emulator, { profile });
  run.sent();
  const checked = await deployment.check(run.session, undefined, adoptingArgs).catch((error: Error) => error);
  if ("failures" in checked && checked.failures.length > 0) return undefined;
  const inputs = "inputs" in checked ? checked.inputs : adoptingArgs;
  const expected = isAsSent(recordOf(emulator, id), inputs, profile);
  expect({ asked: adoptingArgs, isTaken: "inputs" in checked }).toEqual({
    asked: adoptingArgs,
    isTaken: expected,
  });
  if (expected) await expectSettled(drawnCase, id, inputs);
  else expect((checked as Error).message).toContain("is not identical");
  expect(run.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
  return expected;
}

/** Expects that the up takes the deployment over without a write, and that the next plan has no changes. */
async function expectSettled({ emulator, profile }: Case, id: string, inputs: Properties): Promise<void> {
  const up = sessionOn(emulator, { profile });
  const created = await deployment.create(up.session, inputs);
  expect(created.id).toBe(id);
  expect(up.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
  const { session } = sessionOn(emulator, { profile });
  const { changes } = await deployment.diff(session, id, created.outputs, inputs, true);
  expect(changes).toBe(false);
}

// langsmith has more cases, because the public service refuses most of the random arguments.
test.each([
  ["contract", 120],
  ["langsmith", 1_300],
] as const)(
  "%s: an up takes over random existing deployments if they are unchanged, refuses all others, and writes nothing",
  async (profile, numRuns) => {
    const outcomes: boolean[] = [];
    const { emulator, session } = await provided({ profile, secretsInResponses: "named" });
    await deployment.create(session, witness);
    for (const [index, drawn] of fc.sample(updates(servedKeys), { numRuns, seed: 1 }).entries()) {
      const isTaken = await attempt({ emulator, profile, index }, drawn);
      if (isTaken !== undefined) outcomes.push(isTaken);
    }
    // The cases are too few to expect a certain ratio, so the test expects only that both outcomes occur.
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  },
  240_000,
);
