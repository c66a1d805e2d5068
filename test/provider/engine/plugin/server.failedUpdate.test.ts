/**
 * After a failed update, the engine keeps the inputs from before the update. The service has the values that the update
 * sent.
 */
import { started } from "../../../support/embeddedService";
import {
  Client,
  closeClients,
  type Failed,
  hideProviderLines,
  secret,
  shownOf,
} from "../../../support/pluginClient";

beforeEach(hideProviderLines);
afterEach(closeClients);

const URN = "urn:pulumi:dev::shop::deployment-control:index:Deployment::chat";
const first = {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: secret({ KEY: secret("key-value-one") }),
  environment: { LEVEL: "info", MARKED: secret("marked-value-one") },
};
const image = { sourceRevisionConfig: { imageUri: "registry.example/chat:2" } };

/** Plays the engine for a stack whose last update failed. */
async function afterFailure(change: object, profile: "contract" | "langsmith") {
  const emulator = await started({ profile });
  const client = await Client.started({ baseUrl: emulator.url, journal: "off", profile });
  const { inputs } = await client.check(URN, first);
  const created = await client.call("create", { urn: URN, properties: inputs });
  const id = created.getId();
  const update = async (args: object, olds: object) => {
    const news = (await client.check(URN, args, inputs)).inputs;
    const fields = { urn: URN, id, olds, oldInputs: inputs, news };
    const answer = await client.call("update", fields);
    return answer.getProperties().toJavaScript();
  };
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const outputs = created.getProperties().toJavaScript();
  const { left } = await update({ ...first, ...image, ...change }, outputs).then(
    () => ({ left: undefined }),
    (error: Failed) => error,
  );
  const state = left?.properties;
  const read = { urn: URN, id, properties: state, inputs };
  const refresh = async () => (await client.call("read", read)).getProperties().toJavaScript();
  const variables = () =>
    Object.fromEntries((emulator.deployments()[0]?.secrets ?? []).map(({ name, value }) => [name, value]));
  return { update, state, refresh, variables };
}

const { LEVEL } = first.environment;
const FIRST = { LEVEL, KEY: "key-value-one", MARKED: "marked-value-one" };

describe.each(["contract", "langsmith"] as const)("profile %s", (profile) => {
  test.each<[string, object]>([
    ["another value of a secret", { secrets: secret({ KEY: secret("key-value-two") }) }],
    ["a further secret", { secrets: secret({ KEY: secret("key-value-one"), MORE: secret("more-value") }) }],
    ["another value of a marked variable", { environment: { LEVEL, MARKED: secret("marked-value-two") } }],
    ["the removal of a marked variable", { environment: { LEVEL } }],
  ])(
    "after a failed update, the next update takes back %s, with or without a refresh",
    async (_what, change) => {
      for (const isRefreshed of [false, true]) {
        const { update, state, refresh, variables } = await afterFailure(change, profile);
        expect(shownOf(state)).not.toMatch(/(key|marked|more)-value/);
        await update(first, isRefreshed ? await refresh() : state);
        expect(variables()).toEqual(FIRST);
      }
    },
  );
});
