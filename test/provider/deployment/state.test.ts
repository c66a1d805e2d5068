import type { Call } from "../../../provider/call";
import { liveIn } from "../../../provider/deployment/live";
import { createBody } from "../../../provider/deployment/request";
import { deploymentOutputs, refreshedState } from "../../../provider/deployment/state";
import type { Profile } from "../../../provider/profiles/profiles";
import { deploymentOutputRows } from "../../../provider/schema/deployment";
import type { Properties } from "../../../provider/schema/value";
import { chat, contract, langsmith, stateOf } from "../../support/deploymentArguments";

const hidden = () => false;
const deployed = { status: "DEPLOYED", state: "deployed" } as const;
const baseUrl = "https://control.example.test";
const callUnder = (profile: Profile) => ({ baseUrl, profile, hidden: () => false }) as unknown as Call;

/**
 * The deployment as the service stores it after a creation with the arguments; `changes` overrides members of its
 * sections.
 */
function live(
  args: Properties,
  changes: { [section: string]: Properties } = {},
  profile = contract,
): Properties {
  const body = createBody(stateOf(args, profile), profile);
  const changed = Object.entries(changes).map(([section, change]) => [
    section,
    Array.isArray(change) ? change : { ...(body[section] as Properties), ...change },
  ]);
  return { ...body, ...Object.fromEntries(changed), id: "1", latest_revision_id: "r1" };
}

function recorded(args: Properties, resource: Properties): Properties {
  const news = stateOf(args, contract);
  const body = createBody(news, contract);
  const post = { call: callUnder(contract), id: "1", state: {}, inputs: news, body };
  return deploymentOutputs(post, resource, deployed);
}

const refreshed = (args: Properties, resource: Properties) =>
  refreshedState(recorded(args, live(args)), liveIn(resource, contract), hidden);

test("an output that the service omits is null, because a missing output would be unknown in every plan", () => {
  const outputs = recorded(chat, { ...live(chat), latest_revision_id: null });
  for (const name of [...Object.keys(deploymentOutputRows), "latestRevisionStatus"])
    expect(outputs).toHaveProperty(name);
  expect(outputs).toMatchObject({
    url: null,
    repoCommitSha: null,
    imageVersion: null,
    latestRevisionId: null,
  });
});

test("in a new revision, the digest of the same tag or the commit of the same branch is not drift, but a different tag or branch is drift", () => {
  const settings = (args: Properties, source_revision_config: Properties) =>
    refreshed(args, { ...live(args, { source_revision_config }), latest_revision_id: "r2" })
      .sourceRevisionConfig;
  expect(settings(chat, { repo_ref: "c".repeat(40) })).toEqual(chat.sourceRevisionConfig);
  expect(settings(chat, { repo_ref: "pushed" })).toMatchObject({ repoRef: "pushed" });
  const image = { ...chat, sourceRevisionConfig: { imageUri: "r/chat:1" } };
  const digest = `sha256:${"d".repeat(64)}`;
  expect(settings(image, { image_uri: `r/chat:1@${digest}` })).toEqual({ imageUri: "r/chat:1" });
  for (const imageUri of ["r/chat:2", `r/chat:2@${digest}`, `r/chat@${digest}`])
    expect(settings(image, { image_uri: imageUri })).toEqual({ imageUri });
});

test("if a write did not send a setting that another tool changed, the setting is still drift after the write", () => {
  const released = {
    ...live(chat, { source_revision_config: { repo_ref: "released" } }),
    latest_revision_id: "r2",
  };
  const news = stateOf(chat, contract);
  const patch = { call: callUnder(contract), id: "1", state: recorded(chat, live(chat)), inputs: news };
  const outputs = deploymentOutputs(
    { ...patch, body: { source_config: { build_on_push: true } } },
    released,
    deployed,
  );
  expect(outputs).toMatchObject({ latestRevisionId: "r2", sourceRevisionConfig: chat.sourceRevisionConfig });
  const after = refreshedState(outputs, liveIn(released, contract), hidden);
  expect(after.sourceRevisionConfig).toMatchObject({ repoRef: "released" });
});

test("`observed` has the service's form of a value, the unmanaged members of the spec, and the names of foreign variables, but no variable's value and no secret", () => {
  const scaled = { ...chat, sourceConfig: { customUrl: "https://c", resourceSpec: { cpu: 0.25 } } };
  const spec = { cpu: 0.3, queue_cpu: 2, x_new: { token: "canary-unmanaged" } };
  const resource = live(
    scaled,
    {
      source_config: { custom_url: "https://c/canary-secret", resource_spec: spec },
      secrets: [{ name: "STRANGER", value: "canary-foreign" }] as unknown as Properties,
    },
    langsmith,
  );
  const news = stateOf(scaled, langsmith);
  const call = {
    ...callUnder(langsmith),
    hidden: (path: string) => path === "sourceConfig.customUrl",
  } as unknown as Call;
  const post = { call, id: "1", state: {}, inputs: news, body: createBody(news, langsmith) };
  const state = deploymentOutputs(post, resource, deployed);
  expect(state.observed).toEqual({
    sourceConfig: { resourceSpec: { cpu: 0.3, queueCpu: 2, x_new: null } },
    secrets: ["STRANGER"],
  });
  expect(JSON.stringify(state)).not.toContain("canary");
});

test("the state records the service's form of a value only if the request carried the value", () => {
  const news = { ...stateOf(chat, contract), displayName: "Chat agent " };
  const resource = {
    ...live(chat, { source_config: { repo_url: "https://elsewhere" } }),
    display_name: "Chat agent",
  };
  const patch = { call: callUnder(contract), id: "1", state: news, inputs: news };
  const refreshedAfter = (body: Properties) =>
    refreshedState(
      deploymentOutputs({ ...patch, body }, resource, deployed),
      liveIn(resource, contract),
      hidden,
    );
  expect(refreshedAfter({ display_name: "Chat agent " }).displayName).toBe("Chat agent ");
  const inPlace = { source_config: { build_on_push: true } };
  expect(refreshedAfter(inPlace)).toMatchObject({
    displayName: "Chat agent",
    sourceConfig: { repoUrl: "https://elsewhere" },
  });
});
