/** An up finds existing deployments that have the program's names but are in no state. */
import { journalFolder } from "../../../support/interruptedRun";
import { chat, failureOf, PARALLEL, provided, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const NAMES = Array.from({ length: 20 }, (_, index) => `chat-${index}`);
const declared = (name: string) => ({ ...chat, name, __urn: `${URN}-${name}` });
type Run = ReturnType<typeof sessionOn>["session"];

/** Runs an up in the engine's order: only a few names are checked before the first creation ends. */
async function up(run: Run, names: readonly string[]): Promise<string[]> {
  const first = names.slice(0, PARALLEL);
  for (const name of first) await deployment.check(run, undefined, declared(name));
  const errors = await Promise.all(first.map((name) => failureOf(createDeployment(run, declared(name)))));
  return errors.map(({ message }) => message);
}

async function existing(names: readonly string[]) {
  const { emulator, session } = await provided();
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await createDeployment(session, declared(name))).id);
  emulator.requests.length = 0;
  const settings = { journal: journalFolder() };
  return { emulator, ids, open: () => sessionOn(emulator, settings) };
}

const adoptions = (warning: string | undefined) => warning?.match(/^ {2}.*: adopt: .*$/gm) ?? [];

test("one warning of an up names each existing deployment that the up has tried to create so far", async () => {
  const { ids, open, emulator } = await existing(NAMES);
  const run = open();
  const errors = await up(run.session, NAMES);
  expect(errors).toHaveLength(PARALLEL);
  expect(run.warnings()).toHaveLength(1);
  const lines = NAMES.slice(0, PARALLEL).map((name) => `  chat-${name}: adopt: "${ids.get(name)}"`);
  expect(adoptions(run.warnings()[0])).toEqual(lines.sort());
  expect(run.warnings()[0]).toContain(
    `${PARALLEL} deployments that this program is to create exist already on ${emulator.url} (as far as the engine has come). `,
  );
  expect(run.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("an up's list of existing deployments never includes a deployment that the up created", async () => {
  const { open } = await existing(NAMES);
  const run = open();
  await deployment.check(run.session, undefined, declared("new"));
  await createDeployment(run.session, declared("new"));
  await up(run.session, NAMES);
  expect(adoptions(run.warnings()[0])).toHaveLength(PARALLEL);
});
