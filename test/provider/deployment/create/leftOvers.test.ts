/** An up finds existing deployments with its program's names, which no state holds. */
import { journalFolder } from "../../../support/interruptedRun";
import { chat, failureOf, PARALLEL, provided, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const NAMES = Array.from({ length: 20 }, (_, index) => `chat-${index}`);
const declared = (name: string) => ({ ...chat, name, __urn: `${URN}-${name}` });
type Run = ReturnType<typeof sessionOn>["session"];

async function preview(run: Run, names: readonly string[]): Promise<void> {
  for (const name of names) await deployment.check(run, undefined, declared(name));
  run.ended();
}

/** An up as the engine runs it: the engine checks only a few names before the first creation has ended. */
async function up(run: Run, names: readonly string[]): Promise<string[]> {
  const first = names.slice(0, PARALLEL);
  for (const name of first) await deployment.check(run, undefined, declared(name));
  const errors = await Promise.all(first.map((name) => failureOf(createDeployment(run, declared(name)))));
  run.ended();
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

test("after a preview, the first refusals of an up name all deployments that are in its way, once", async () => {
  const { ids, open, emulator } = await existing(NAMES);
  await preview(open().session, [...NAMES, "free"]);
  const run = open();
  const errors = await up(run.session, NAMES);
  expect(errors).toHaveLength(PARALLEL);
  expect(run.warnings()).toHaveLength(1);
  const lines = NAMES.map((name) => `  chat-${name}: adopt: "${ids.get(name)}"`);
  expect(adoptions(run.warnings()[0])).toEqual(lines.sort());
  expect(run.warnings()[0]).toContain(
    `20 deployments that this program is to create exist already on ${emulator.url}. `,
  );
  expect(run.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("without a preview, an up names the deployments that it has checked, and says that there may be more", async () => {
  const { emulator } = await existing(NAMES);
  const run = sessionOn(emulator, { journal: "off" });
  await deployment.check(run.session, undefined, declared("new"));
  await createDeployment(run.session, declared("new"));
  await up(run.session, NAMES);
  expect(adoptions(run.warnings()[0])).toHaveLength(PARALLEL);
  expect(run.warnings()[0]).toContain(
    "(as far as the engine has come; after a preview on this machine the up names all)",
  );
});

test("an up uses the preview's names once, and never lists a deployment that it created itself", async () => {
  const { open } = await existing(NAMES);
  await preview(open().session, ["new", ...NAMES]);
  const first = open();
  await createDeployment(first.session, declared("new"));
  await up(first.session, NAMES);
  expect(adoptions(first.warnings()[0])).toHaveLength(NAMES.length);
  const second = open();
  await up(second.session, NAMES);
  expect(adoptions(second.warnings()[0])).toHaveLength(PARALLEL);
});

test("a secret name is neither recorded for the next up nor shown", async () => {
  const names = ["hidden-one", "hidden-two"];
  const { open } = await existing(names);
  const before = open();
  for (const name of names)
    await deployment.check(before.session, undefined, { ...declared(name), __secrets: ["name"] });
  before.session.ended();
  const run = open();
  await up(run.session, names);
  expect(run.warnings()).toEqual([]);
});
