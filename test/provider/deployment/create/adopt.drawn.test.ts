import * as fc from "fast-check";
import { createBody } from "../../../../provider/deployment/request";
import { type Properties, withValueAt } from "../../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../../provider/profiles/profiles";
import type { Emulator, ProfileName } from "../../../../sdk/emulator";
import { reordered, servedKeys, updates } from "../../../support/arbitraryArguments";
import { chat, provided, sessionOn } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";

/**
 * Whether the answer has everything that was sent. Lists of names must be equal; other objects may have more members.
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
/** A program that declares no entry of a list does not manage it. */
const isUnmanaged = (list: unknown): boolean => sorted(list).length === 0;

/**
 * Whether the service shows what a creation with these arguments would send. The service shows no value of a variable.
 */
function isAsSent(record: Properties, args: Properties, profile: ProfileName): boolean {
  const { secrets, secret_references: references, ...sent } = createBody(args, PROFILES[profile] as Profile);
  return (
    shows(record, sent) &&
    (isUnmanaged(secrets) || namesIn(record.secrets) === namesIn(secrets)) &&
    (isUnmanaged(references) || shows(sorted(record.secret_references), sorted(references)))
  );
}

/** Arguments that a creation does not send. */
const UNSENT = { adopt: undefined, newRevisions: undefined, connection: undefined, rollout: undefined };

/** Proves that the service names variables, so that an empty list means that there are none. */
const built = { repoRef: "main", graphConfigPath: "graph.json" };
const witness = { ...chat, name: "witness", sourceRevisionConfig: built };

type Case = { readonly emulator: Emulator; readonly profile: ProfileName; readonly index: number };
type Drawn = readonly [maker: Properties, other: Properties];

const recordOf = (emulator: Emulator, id: string): Properties =>
  emulator.deployments().find((each) => each.id === id) as unknown as Properties;

/** Id of the deployment that an earlier run left; undefined if the service refuses the arguments. */
async function leave({ emulator, profile }: Case, args: Properties): Promise<string | undefined> {
  const { session } = sessionOn(emulator, { profile });
  const { inputs, failures } = await deployment.check(session, undefined, args);
  if (failures.length > 0) return undefined;
  const created = await deployment.create(session, inputs).catch(() => undefined);
  return created?.id;
}

/** In half of the cases, the program differs from the earlier run's, or somebody has changed the deployment since. */
function programFor({ emulator, profile, index }: Case, [args, other]: Drawn, id: string) {
  if (index % 4 === 1 && profile === "contract") return { ...other, ...UNSENT };
  if (index % 2 === 1) emulator.change(id, changeOf(createBody(args, PROFILES[profile] as Profile), index));
  return reordered(args) as Properties;
}

/** Changes one value that was sent. If no value was sent, or in every eighth case, adds a secret instead. */
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

/** The texts, numbers and booleans that are members of objects, with their paths. */
function leavesIn(value: unknown, names: readonly string[] = []): [readonly string[], unknown][] {
  if (["string", "number", "boolean"].includes(typeof value)) return [[names, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesIn(member, [...names, name]));
}

/** Whether the left-over was taken over; undefined for arguments that the service or `check` refuses. */
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

/** The up takes the deployment over and sends nothing, and the next plan has no changes. */
async function expectSettled({ emulator, profile }: Case, id: string, inputs: Properties): Promise<void> {
  const up = sessionOn(emulator, { profile });
  const created = await deployment.create(up.session, inputs);
  expect(created.id).toBe(id);
  expect(up.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
  const { session } = sessionOn(emulator, { profile });
  const { changes } = await deployment.diff(session, id, created.outputs, inputs, true);
  expect(changes).toBe(false);
}

// The public service refuses most of the arguments.
test.each([
  ["contract", 120],
  ["langsmith", 1_300],
] as const)(
  "%s: an up takes over exactly the random left-overs that are unchanged since their creation, and writes nothing",
  async (profile, numRuns) => {
    const outcomes: boolean[] = [];
    const { emulator, session } = await provided({ profile, secretsInResponses: "named" });
    await deployment.create(session, witness);
    for (const [index, drawn] of fc.sample(updates(servedKeys), { numRuns, seed: 1 }).entries()) {
      const isTaken = await attempt({ emulator, profile, index }, drawn);
      if (isTaken !== undefined) outcomes.push(isTaken);
    }
    // The fast run draws too few cases for a share.
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  },
  240_000,
);
