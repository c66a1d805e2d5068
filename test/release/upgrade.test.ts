/**
 * Reads files that released versions left on users' machines: journals of killed runs, plans, reports and results. Each
 * version has its own folder in `test/release/recorded`; the states are in `test/states`.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { version } from "../../package.json";
import type { Properties } from "../../provider/fields/value";
import { entryIn, placeOf } from "../../provider/journal/entry";
import type { Emulator } from "../../sdk/emulator";
import { differencesBetween, digestMismatches, reportsIn } from "../../sdk/report/judge/expect";
import { judge } from "../../sdk/report/judge/judge";
import { resultOf } from "../../sdk/report/judge/result";
import type { Result } from "../../sdk/report/model";
import { eventsIn } from "../../sdk/report/read/events";
import { previewIn } from "../../sdk/report/read/preview";
import { started } from "../support/embeddedService";
import { fileOf } from "../support/goldens";
import { changed, entryFiles, journalFolder, killedRun, nextRun, recorded } from "../support/interruptedRun";
import { chat, provided } from "../support/providerRun";
import { createDeployment, updateDeployment } from "../support/resourceCalls";
import { sharedClock } from "../support/sharedClock";

const RECORDED = path.join(__dirname, "recorded");
const ADDRESS = "http://address-of-the-service.invalid";

// The journal's entries belong to the backend of the run that wrote them. The recordings were made without a backend's
// address.
process.env.PULUMI_BACKEND_URL = "";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function dataFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "upgrade-"));
  folders.push(folder);
  return path.join(folder, "data.json");
}

/** A killed run: the content of the service after the kill, the files of the journal, and the state before the run. */
interface Killed {
  readonly service: string;
  readonly journal: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly state?: Properties;
}

const MOMENTS = ["creation under way", "creation answered", "update under way", "update answered"] as const;
type Moment = (typeof MOMENTS)[number];

async function killedAt(moment: Moment): Promise<Killed> {
  const data = dataFile();
  if (moment.startsWith("creation")) {
    const journal = journalFolder();
    const { emulator, session } = await provided({ data }, { journal }, sharedClock());
    if (moment === "creation under way") await killedRun(emulator, journal, unwaited);
    else await createDeployment(session, unwaited);
    return leftIn(journal, emulator, data);
  }
  const { emulator, journal, id, outputs, kill, session } = await recorded(undefined, { data });
  if (moment === "update under way") await kill();
  else await updateDeployment(session, id, outputs, changed);
  const state = JSON.parse(JSON.stringify(outputs).replaceAll(emulator.url, ADDRESS));
  return { ...leftIn(journal, emulator, data), id, state };
}

const unwaited = { ...chat, rollout: { wait: false } };

function leftIn(journal: string, emulator: Emulator, data: string): Killed {
  const entries = entryFiles(journal).map((file) => {
    const text = readFileSync(file, "utf8").replaceAll(emulator.url, ADDRESS);
    return [nameOf(text), text] as const;
  });
  return { service: readFileSync(data, "utf8"), journal: Object.fromEntries(entries) };
}

/** The path in the journal of an entry with this text. */
function nameOf(text: string): string {
  const entry = entryIn(text);
  if (typeof entry === "string") throw new Error(entry);
  return placeOf({ ...entry, operation: entry.kind === "update" ? "update" : "creation" }).join("/");
}

/** The names of the recorded plans, each for one stack; the plans in `RESULTS` were also applied. */
const PLANS = ["failed", "mixed", "replace", "secrets", "unknown"];
const RESULTS = ["mixed"];

async function record(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const journals: Record<string, Killed> = {};
  for (const moment of MOMENTS) journals[moment] = await killedAt(moment);
  writeFileSync(path.join(folder, "journals.json"), `${JSON.stringify(journals, undefined, 2)}\n`);
  for (const name of PLANS) {
    cpSync(fileOf("previews", `${name}.json`), path.join(folder, `${name}.preview.json`));
    cpSync(fileOf("reports", `${name}.report.json`), path.join(folder, `${name}.report.json`));
  }
  for (const name of RESULTS) {
    cpSync(fileOf("results", `${name}.up.jsonl`), path.join(folder, `${name}.up.jsonl`));
    const result = `${JSON.stringify(judgedIn(version, name), undefined, 2)}\n`;
    writeFileSync(path.join(folder, `${name}.result.json`), result);
  }
}

test("the repository has the recorded files of this version", async () => {
  const folder = path.join(RECORDED, version);
  const isKept = existsSync(folder);
  if (!isKept) await record(folder);
  // If the recording is new, review it, and commit it with the version.
  expect({ version, isKept }).toEqual({ version, isKept: true });
});

const versions = existsSync(RECORDED) ? readdirSync(RECORDED) : [];
const textIn = (of: string, file: string) => readFileSync(path.join(RECORDED, of, file), "utf8");
const each = <T extends string>(things: readonly T[]) =>
  versions.flatMap((of) => things.map((thing) => [of, thing] as const));

/** Starts the service with its recorded content, and restores the journal with the service's new address. */
async function replayed(of: string, moment: Moment) {
  const all = JSON.parse(textIn(of, "journals.json"));
  const data = dataFile();
  writeFileSync(data, all[moment].service);
  const emulator = await started({ data });
  const killedRun: Killed = JSON.parse(JSON.stringify(all[moment]).replaceAll(ADDRESS, emulator.url));
  const journal = journalFolder();
  for (const text of Object.values(killedRun.journal)) {
    const file = path.join(journal, nameOf(text));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const sent = (method: string) => emulator.requests.filter((request) => request.method === method);
  return { ...killedRun, emulator, sent, run: nextRun(emulator, journal) };
}

test.each(each(MOMENTS))(
  "after a kill of version %s (%s), this version finds the journal's entry",
  (of, moment) => {
    const { journal }: Killed = JSON.parse(textIn(of, "journals.json"))[moment];
    expect(Object.keys(journal)).toHaveLength(1);
    for (const [name, text] of Object.entries(journal)) expect(nameOf(text)).toBe(name);
  },
);

test.each(each(["creation under way", "creation answered"]))(
  "after a kill of version %s (%s), this version finds the deployment and does not create it again",
  async (of, moment) => {
    const { emulator, sent, run } = await replayed(of, moment);
    const [deployment] = emulator.deployments();
    const { id } = await createDeployment(run.session, unwaited);
    expect(id).toBe(deployment?.id);
    expect(emulator.deployments()).toHaveLength(1);
    expect(sent("POST")).toEqual([]);
  },
);

test.each(each(["update under way", "update answered"]))(
  "after a kill of version %s (%s), this version follows the update and makes no second revision",
  async (of, moment) => {
    const { emulator, sent, run, id, state } = await replayed(of, moment);
    const [revision] = emulator.deployments()[0]?.revisions ?? [];
    const after = await updateDeployment(run.session, id as string, state as Properties, changed);
    expect(after.latestRevisionId).toBe(revision?.id);
    expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
    expect(sent("PATCH")).toEqual([]);
  },
);

const plansOf = (of: string, ending: string) =>
  readdirSync(path.join(RECORDED, of)).flatMap((file) =>
    file.endsWith(ending) ? [[of, file.slice(0, -ending.length)] as const] : [],
  );
const previewOf = (of: string, name: string) => previewIn(textIn(of, `${name}.preview.json`), name);
const planOf = (of: string, name: string) => judge(previewOf(of, name));

test.each(versions.flatMap((of) => plansOf(of, ".report.json")))(
  "a report of version %s is not accepted as reviewed if its content does not match its digest: %s",
  (of, name) => {
    const reviewed = reportsIn(textIn(of, `${name}.report.json`), name);
    expect(digestMismatches(reviewed)).toEqual([expect.stringContaining("or another version made it")]);
    // The report that this version makes from the old preview matches the reviewed report.
    const again = reportsIn(JSON.stringify(planOf(of, name)), name);
    expect([...digestMismatches(again), ...differencesBetween(again, [planOf(of, name)])]).toEqual([]);
  },
);

test.each(versions.flatMap((of) => plansOf(of, ".report.json")))(
  "a report of version %s matches the current JSON Schema: %s",
  (of, name) => {
    const schema = readFileSync(path.join(__dirname, "../../sdk/report/report.schema.json"), "utf8");
    const valid = new Ajv({ strict: false }).compile(JSON.parse(schema));
    expect([valid(JSON.parse(textIn(of, `${name}.report.json`))), valid.errors]).toEqual([true, null]);
  },
);

function judgedIn(of: string, name: string): Result {
  return resultOf(planOf(of, name), eventsIn(textIn(of, `${name}.up.jsonl`), "up"), previewOf(of, name));
}

test.each(versions.flatMap((of) => plansOf(of, ".result.json")))(
  "the recorded comparison of an up by version %s with its plan gives the same result today: %s",
  (of, name) => {
    const { right, wrong, undecided }: Result = JSON.parse(textIn(of, `${name}.result.json`));
    expect(right + wrong + undecided).toBeGreaterThan(0);
    expect(judgedIn(of, name)).toMatchObject({ right, wrong, undecided });
  },
);
