/** Tests replacements that the engine itself asks for: the engine calls `check` again without old inputs. */
import type { Properties } from "../../../provider/schema/value";
import { createdDeployment } from "../../support/createdDeployment";
import { started } from "../../support/embeddedService";
import { chat, failureOf, sessionOn, URN } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

type ProfileName = "contract" | "langsmith";

/** Plans a deployment without changes, then checks it for a replacement that only the engine asks for. */
async function replacedByEngine(profile: ProfileName, recorded: Properties = {}) {
  const built = { repoRef: "main", graphConfigPath: "graph.json" };
  const args = { ...chat, __urn: URN, sourceRevisionConfig: built, ...recorded };
  const { id, outputs, later } = await createdDeployment(args, { profile });
  const { session, told } = later();
  await deployment.diff(session, id, { ...outputs, ...recorded }, args, true);
  const replacing = deployment.check(session, undefined, args);
  return { id, told, replacing };
}

test("the plan announces the downtime of a replacement that deletes the old deployment first", async () => {
  const { id, told, replacing } = await replacedByEngine("langsmith");
  expect((await replacing).failures).toEqual([]);
  expect(told.join()).toContain("is replaced, because the engine asks for it");
  expect(told.join()).toContain(`the old deployment ${id} is deleted before the new one is created`);
});

test.each([
  ["contract", {}],
  ["langsmith", { __retained: true }],
  ["langsmith", { __deleteBeforeReplace: false }],
  ["langsmith", { onDestroy: "retain" }],
  ["langsmith", { onDestroy: "fail" }],
] as const)(
  "under %s, a replacement is refused if the old deployment is not deleted first (options %j)",
  async (profile, recorded) => {
    const { replacing } = await replacedByEngine(profile, recorded);
    expect((await failureOf(replacing)).message).toBe(
      'deployment "chat": is replaced, because the engine asks for it, but the old deployment still has the name. Change name too, or take the cause away: replaceOnChanges, replaceWith, replacementTrigger, another provider, --replace or a taint',
    );
  },
);

test("if the engine skips diff, a replacement is refused unless the name changes or an option deletes the old deployment first", async () => {
  const args = { ...chat, __urn: URN };
  const { emulator } = await createdDeployment(args);
  const checked = async (news: Properties) => {
    const { session, told } = sessionOn(emulator);
    await deployment.check(session, args, news);
    await deployment.check(session, undefined, news);
    return told.join();
  };
  expect((await failureOf(checked(args))).message).toContain("but the old deployment still has the name");
  expect(await checked({ ...args, name: "chat-2" })).not.toContain("the engine asks for it");
  expect(await checked({ ...args, __deleteBeforeReplace: true })).toContain("the engine asks for it");
});

test("under langsmith, the plan of a replacement says that the old deployment stays if its recorded options retain it", async () => {
  const { id, outputs, later } = await createdDeployment(
    { ...chat, __urn: URN, sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" } },
    { profile: "langsmith" },
  );
  const { session, told } = later();
  const olds = { ...outputs, __urn: URN, __retained: true };
  await deployment.diff(session, id, olds, { ...olds, name: "chat-2" }, true);
  expect(told.join()).toMatch(new RegExp(`is replaced .*the old one stays.*${id}`));
});

test("a replacement that the engine asks for is refused if the deployment keeps its name and the connection is only renamed", async () => {
  const { emulator, id, outputs } = await createdDeployment({ ...chat, __urn: URN });
  const connections = JSON.stringify({ uno: { baseUrl: emulator.url } });
  const { session } = sessionOn(emulator, { connections });
  const news = { ...chat, __urn: URN, connection: "uno" };
  expect((await deployment.diff(session, id, outputs, news, true)).replaces).toEqual([]);
  const { message } = await failureOf(deployment.check(session, undefined, news));
  expect(message).toContain("but the old deployment still has the name");
});

test.each([
  ["langsmith", "contract", "is deleted"],
  ["contract", "langsmith", "stays"],
] as const)(
  "if the connection changes from profile %s to %s, the plan says whether the old deployment is deleted or stays",
  async (before, after, fate) => {
    const emulator = await started({ profile: before });
    const other = await started({ profile: after });
    const connections = JSON.stringify({
      old: { baseUrl: emulator.url, profile: before },
      new: { baseUrl: other.url, profile: after },
    });
    const run = sessionOn(emulator, { connections });
    const sourceRevisionConfig = { repoRef: "main", graphConfigPath: "graph.json" };
    const args = { ...chat, sourceRevisionConfig, __urn: URN, connection: "old" };
    const { id, outputs } = await deployment.create(run.session, args);
    const { session: later, told } = sessionOn(emulator, { connections });
    await deployment.diff(later, id, outputs, { ...args, connection: "new" }, true);
    expect(told.join()).toMatch(
      new RegExp(`is replaced \\(connection old -> new\\); the old one,? (id ${id}, )?${fate}`),
    );
    await deployment.delete(later, id, outputs);
    expect(emulator.deployments()).toHaveLength(fate === "stays" ? 1 : 0);
  },
);

test("if a new connection to the same service causes a replacement, the deletion obeys the old connection's profile", async () => {
  const emulator = await started({ profile: "langsmith" });
  const place = { baseUrl: emulator.url };
  const connections = { old: { ...place, profile: "langsmith" }, new: { ...place, profile: "contract" } };
  const inEach = (names: object) => sessionOn(emulator, { connections: JSON.stringify(names) });
  const sourceRevisionConfig = { repoRef: "main", graphConfigPath: "graph.json" };
  const args = { ...chat, sourceRevisionConfig, __urn: URN, connection: "old" };
  const { id, outputs } = await deployment.create(inEach(connections).session, args);
  const news = { ...args, connection: "new", name: "chat-2" };
  const { session, told } = inEach(connections);
  await deployment.diff(session, id, outputs, news, true);
  expect(told.join()).toContain(`the old one, id ${id}, is deleted`);
  // If the old connection is missing, the plan is refused, unless an option retains the old deployment.
  const { session: without } = inEach({ new: connections.new });
  const refused = await failureOf(deployment.diff(without, id, outputs, news, true));
  expect(refused.message).toContain('connection: got "old"');
  const { session: keeping } = inEach({ new: connections.new });
  await deployment.diff(keeping, id, { ...outputs, __retained: true }, { ...news, __retained: true }, true);
});
