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

function recorded(args: Properties, resource: Properties, profile = contract): Properties {
  const news = stateOf(args, profile);
  const body = createBody(news, profile);
  const post = { call: callUnder(profile), id: "1", state: {}, inputs: news, body };
  return deploymentOutputs(post, resource, deployed);
}

const refreshed = (args: Properties, resource: Properties) =>
  refreshedState(recorded(args, live(args)), liveIn(resource, contract), hidden);

test("the outputs are the inputs, the service's fields, and the state of the rollout", () => {
  const resource = {
    ...live(chat, {
      source_config: { custom_url: "https://chat" },
      source_revision_config: { repo_commit_sha: "f00" },
    }),
    tenant_id: "t",
    status: "READY",
    active_revision_id: "r1",
    image_version: null,
  };
  expect(recorded(chat, resource)).toEqual({
    ...chat,
    revisionGeneration: 1,
    secretGenerations: { A: 1, B: 1 },
    tenantId: "t",
    createdAt: null,
    updatedAt: null,
    imageVersion: null,
    status: "READY",
    latestRevisionId: "r1",
    activeRevisionId: "r1",
    repoCommitSha: "f00",
    url: "https://chat",
    latestRevisionStatus: "DEPLOYED",
    rolloutState: "deployed",
    serviceUrl: "https://control.example.test",
  });
});

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

test("a refresh translates the service's names and values back to the program's", () => {
  const resource = live(chat, {}, langsmith);
  expect(resource.source).toBe("github");
  expect(
    refreshedState(recorded(chat, resource, langsmith), liveIn(resource, langsmith), hidden),
  ).toMatchObject(chat);
});

test("a refresh records drift of a managed field, even if the service no longer has the field", () => {
  const drifted = refreshed(chat, live(chat, { source_config: { build_on_push: false } }));
  expect(drifted.sourceConfig).toEqual({ ...(chat.sourceConfig as Properties), buildOnPush: false });
  const refreshedState = refreshed(
    chat,
    live(chat, { source_config: { build_on_push: null } as Properties }),
  );
  expect(refreshedState.sourceConfig).toEqual({ repoUrl: (chat.sourceConfig as Properties).repoUrl });
});

test("changed revision settings count as drift only if they belong to another revision", () => {
  const pushed = live(chat, { source_revision_config: { repo_ref: "pushed" } });
  expect(refreshed(chat, pushed).sourceRevisionConfig).toEqual(chat.sourceRevisionConfig);
  const newer = { ...pushed, latest_revision_id: "r2" };
  expect(refreshed(chat, newer).sourceRevisionConfig).toMatchObject({ repoRef: "pushed" });
});

test("in another revision, the digest of the tag and the commit of the branch are not drift, but another tag and another branch are", () => {
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

test("settings that a write did not send are still drift after it, although the state then has their revision", () => {
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

test("a value that the service changes in its answer is not drift, but a later change of that value is drift", () => {
  const rounded = live(chat, { source_config: { repo_url: "https://repohost.example.test/ACME/chat" } });
  const state = recorded(chat, rounded);
  expect(state.sourceConfig).toEqual(chat.sourceConfig);
  expect(refreshedState(state, liveIn(rounded, contract), hidden)).toEqual(state);
  const moved = live(chat, { source_config: { repo_url: "https://elsewhere" } });
  expect(refreshedState(state, liveIn(moved, contract), hidden).sourceConfig).toMatchObject({
    repoUrl: "https://elsewhere",
  });
});

test("one note has the service's form of a value, the unmanaged members of the spec, and the names of foreign variables, but no variable's value and nothing that is secret", () => {
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

test("only a value that the request carried can be recorded in the form of the service's answer", () => {
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

test("a refresh compares secrets only by name, and an empty list counts as hidden secrets", () => {
  const masked = live(chat, { secrets: [{ name: "A", value: "***" }] as unknown as Properties });
  const state = refreshed(chat, masked);
  expect([state.secrets, state.secretGenerations]).toEqual([{ A: "one" }, { A: 1 }]);
  const hidden = live(chat, { secrets: [] as unknown as Properties });
  expect(refreshed(chat, hidden).secrets).toEqual(chat.secrets);
});

test("the state never records a secret's value from an answer", () => {
  const echoed = live(chat, {
    secrets: [
      { name: "A", value: "other" },
      { name: "B", value: "two" },
    ] as unknown as Properties,
  });
  expect(JSON.stringify(recorded(chat, echoed))).not.toContain("other");
});

test("a label whose name is also a built-in method's name is not drift", () => {
  const labelled = { ...chat, sourceConfig: { resourceSpec: { labels: { constructor: "x" } } } };
  const resource = live(labelled, { source_config: { resource_spec: { labels: {} } } });
  expect(refreshed(labelled, live(labelled))).toEqual(recorded(labelled, live(labelled)));
  expect(refreshed(labelled, resource).sourceConfig).toEqual({ resourceSpec: { labels: {} } });
});
