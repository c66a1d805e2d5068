/** Replacements that the engine itself asks for: `check` is called again without old inputs. */
import type { Properties } from "../../../provider/fields/value";
import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf, sessionOn, URN } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

type ProfileName = "contract" | "langsmith";

/** Plans a deployment with these inputs unchanged, then checks `news` for a replacement that the engine asks for. */
async function replacedByEngine(profile: ProfileName, news: Properties, recorded: Properties = {}) {
  const built = { repoRef: "main", graphConfigPath: "graph.json" };
  const args = { ...chat, __urn: URN, sourceRevisionConfig: built, ...recorded };
  const { id, outputs, later } = await createdDeployment(args, { profile });
  const { session, told } = later();
  const olds = { ...outputs, ...recorded };
  await deployment.diff(session, id, olds, args, true);
  const replacing = deployment.check(session, undefined, { ...args, ...news });
  return { id, told, replacing };
}

const renamed = { name: "chat-2" };

test.each([
  ["contract", {}, "stays, id"],
  ["langsmith", {}, "is deleted, unless an option keeps it"],
  ["langsmith", { __retained: true }, "stays, id"],
] as const)(
  "under %s, the line of a replacement with a new name says whether the old deployment stays (options %j)",
  async (profile, recorded, words) => {
    const { id, told, replacing } = await replacedByEngine(profile, renamed, recorded);
    expect((await replacing).failures).toEqual([]);
    expect(told.join()).toContain("is replaced, because the engine asks for it");
    expect(told.join()).toContain(words);
    expect(told.join()).toContain(id);
  },
);

test.each([
  ["contract", {}, "which stays. Change name too"],
  ["langsmith", { __retained: true }, "which stays. Change name too"],
  ["langsmith", { __deleteBeforeReplace: false }, "which is deleted only afterwards. Change name too"],
] as const)(
  "under %s, a replacement with the same name is refused if the old deployment is in the way (options %j)",
  async (profile, recorded, words) => {
    const { replacing } = await replacedByEngine(profile, {}, recorded);
    const { message } = await failureOf(replacing);
    expect(message).toContain('keeps the name "chat": the new deployment needs the name of the old one');
    expect(message).toContain(words);
  },
);

test("a replacement is refused if onDestroy is fail", async () => {
  const { replacing } = await replacedByEngine("contract", renamed, { onDestroy: "fail" });
  expect((await failureOf(replacing)).message).toContain('onDestroy is "fail", which forbids it');
});

test("the plan of a replacement under langsmith says that the old deployment stays, if the deployment's recorded options retain it", async () => {
  const { id, outputs, later } = await createdDeployment(
    { ...chat, __urn: URN, sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" } },
    { profile: "langsmith" },
  );
  const { session, told } = later();
  const olds = { ...outputs, __urn: URN, __retained: true };
  await deployment.diff(session, id, olds, { ...olds, ...renamed }, true);
  expect(told.join()).toMatch(new RegExp(`is replaced .*the old one stays.*${id}`));
});

test("a replacement that the engine asks for is refused if the name stays and the connection only gets another name", async () => {
  const { emulator, id, outputs } = await createdDeployment({ ...chat, __urn: URN });
  const connections = JSON.stringify({ uno: { baseUrl: emulator.url } });
  const { session } = sessionOn(emulator, { connections });
  const news = { ...chat, __urn: URN, connection: "uno" };
  expect((await deployment.diff(session, id, outputs, news, true)).replaces).toEqual([]);
  const { message } = await failureOf(deployment.check(session, undefined, news));
  expect(message).toContain('keeps the name "chat": the new deployment needs the name of the old one');
});
