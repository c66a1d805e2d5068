import {
  type DeploymentArgs,
  getDeployments,
  getListeners,
  getRepositories,
  getRevisions,
  type SmokeTestArgs,
} from "../../sdk/index";
import { errorsOf, exported, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment, Listener, Rollout, SmokeTest, TokenMetadata } from "../support/engine/form";
import { reported } from "../support/engine/planReport";
import { chat, lines } from "../support/engine/programs";
import { type Run, service, stackOn } from "../support/engine/stack";

describe("after a connection is renamed", () => {
  /** A stack whose configuration has only these connections. */
  const connected = async (connections: object) => {
    const near = await service();
    const emulator = await service({ apiKey: FAR_KEY, profile: "langsmith" });
    const stack = await stackOn(emulator);
    const { envVars } = stack.stack.workspace;
    const configure = (names: object) => {
      const settings = { baseUrl: emulator.url, apiKey: FAR_KEY, profile: "langsmith" };
      const entries = Object.entries(names).map(([name, other]) => [name, { ...settings, ...other }]);
      envVars.DEPLOYMENT_CONTROL_CONNECTIONS = JSON.stringify(Object.fromEntries(entries));
    };
    envVars.DEPLOYMENT_CONTROL_BASE_URL = near.url;
    configure(connections);
    return { near, emulator, stack, configure };
  };
  const writesOf = ({ requests }: Run) => requests.filter(({ method }) => method !== "GET");

  test.each([
    ["the old name is removed", { uno: {} }],
    ["the old name stays", { one: {}, uno: {} }],
  ])("its resources change in place, and no write is sent (%s)", async (_, renamed) => {
    const { near, emulator, stack, configure } = await connected({ one: {} });
    emulator.addToken({ id: "token-1" });
    const declared =
      (connection: string, args: Partial<DeploymentArgs> = {}) =>
      () => {
        const common = { connection, onDestroy: "delete" } as const;
        const deployment = new Deployment("chat", chat({ ...common, rollout: { wait: false }, ...args }));
        new Listener("cluster", { computeType: "k8s", computeId: "far-away", ...common });
        new TokenMetadata("token", { tokenId: "token-1", isDefault: true, connection });
        new Rollout("all", { deployments: [deployment] });
        return { id: deployment.id, generation: deployment.revisionGeneration };
      };
    const first = await stack.up(declared("one"));
    expect(first.error).toBeUndefined();
    configure(renamed);
    const report = await reported(stack, declared("uno"));
    expect(report).toMatchObject({ failure: null, summary: { inPlace: 1, replace: 0 } });
    expect(report.refusals).toBeUndefined();
    expect(report.deployments).toMatchObject([
      {
        verdict: "in-place",
        reasons: [{ path: "connection", effect: "in-place", before: "one", after: "uno" }],
        warnings: [],
      },
    ]);
    expect(report.listeners).toMatchObject([{ verdict: "in-place", reasons: [{ path: "connection" }] }]);

    const up = await stack.up(declared("uno"));
    expect(up.error).toBeUndefined();
    expect(up.steps).toEqual({ chat: "update", cluster: "update", token: "update" });
    expect(lines(up)).toEqual(["updates in place, no new revision (connection one -> uno)"]);
    expect(writesOf(up)).toEqual([]);
    expect(up.outputs).toEqual(first.outputs);

    configure({ uno: {} });
    expect((await stack.up(declared("uno"))).steps).toEqual({});
    expect((await stack.refresh()).error).toBeUndefined();
    const revised = await stack.up(
      declared("uno", { sourceRevisionConfig: { imageUri: "registry.example/chat:2" } }),
    );
    expect(revised.error).toBeUndefined();
    expect(writesOf(revised)).toHaveLength(1);
    expect(emulator.deployments()).toMatchObject([{ id: first.outputs.id, revisions: [{}, {}] }]);
    expect((await stack.destroy()).error).toBeUndefined();
    expect(emulator.deployments().filter(({ status }) => status !== "AWAITING_DELETE")).toEqual([]);
    expect(near.requests).toEqual([]);
  });
});

const FAR_KEY = "key-of-far-service";
const INTEGRATION = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/** A stack on one service, with connections to a second service. `further`: more settings of the connection `other`. */
async function twoServices(further: object = {}) {
  const [near, far] = [await service({ apiKey: "key-of-near-service" }), await service({ apiKey: FAR_KEY })];
  const connections = JSON.stringify({
    far: { baseUrl: far.url, apiKey: FAR_KEY, headers: { "X-Team": "red" } },
    other: { baseUrl: far.url, apiKey: FAR_KEY, ...further },
    near: { baseUrl: near.url },
  });
  const stack = await stackOn(near, {
    environment: {
      DEPLOYMENT_CONTROL_API_KEY: "key-of-near-service",
      DEPLOYMENT_CONTROL_CONNECTIONS: connections,
    },
  });
  // The look-ups of an inline program run in this process, with the stack's configuration but without its environment.
  await stack.stack.setConfig("deployment-control:connections", { value: connections, secret: true });
  return { near, far, stack };
}

test("every resource and look-up with a connection sends requests only to the connection's service, even in a refresh", async () => {
  const { near, far, stack } = await twoServices();
  far.addListener({ compute_id: "far-away" });
  far.addRepositories(INTEGRATION, [{ owner: "acme", name: "agent" }]);
  const tokenId = "token-1";
  far.addToken({ id: tokenId });
  const [seeded = ""] = far.seed(1);
  const connection = "far";
  const up = await stack.up(async () => {
    const deployment = new Deployment("own", chat({ name: "own", connection, rollout: { wait: false } }));
    const listener = new Listener("cluster", { computeType: "k8s", computeId: "far-away", connection });
    new TokenMetadata("token", { tokenId, isDefault: true, connection });
    const all = new Rollout("all", { deployments: [deployment], connection });
    return {
      deployed: all.deployed,
      listener: listener.id,
      read: Deployment.get("read", seeded, { connection }).status,
      deployments: (await getDeployments({ connection })).map(({ name }) => name),
      revisions: (await getRevisions({ deploymentId: seeded, connection })).length,
      listeners: (await getListeners({ connection })).length,
      repositories: (await getRepositories({ integrationId: INTEGRATION, connection })).length,
    };
  });
  expect(up.error).toBeUndefined();
  expect(up.outputs).toMatchObject({
    deployed: 1,
    read: "READY",
    revisions: 1,
    listeners: 1,
    repositories: 1,
  });
  expect((await stack.refresh()).text).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(near.requests).toEqual([]);
  expect(far.requests.every(({ headers }) => headers["x-team"] === "red")).toBe(true);
});

test("a rollout refuses a connection to a service that does not have the rollout's deployments", async () => {
  const { near, far, stack } = await twoServices();
  const plan = await stack.preview(() => {
    const deployment = new Deployment(
      "own",
      chat({ name: "own", connection: "far", rollout: { wait: false } }),
    );
    new Rollout("all", { deployments: [deployment], connection: "near" });
  });
  expect(errorsOf(plan)[0]).toBe(
    `connection: got "near", which is ${near.url}, but own lives on ${far.url}; leave it out, and each deployment uses its own`,
  );
});

test("a smoke test sends a key from the configuration only if the smoke test names the key's connection", async () => {
  const { far, stack } = await twoServices({ authHeader: "Authorization", authScheme: "Bearer" });
  const [id] = far.seed(1);
  const declared = (args: Partial<SmokeTestArgs>) => () => {
    new SmokeTest("greeting", {
      deploymentUrl: `${far.url}/runtime/${id}`,
      assistantId: "echo",
      messages: [{ role: "user", content: "hello" }],
      expect: { contains: "hello" },
      ...args,
    });
  };
  const headersSent = () => far.requests.splice(0).map(({ headers }) => headers);
  const unnamed = await stack.up(declared({}));
  expect(errorsOf(unnamed).join("\n")).toContain("of the smoke test, or its connection");
  expect(headersSent().every((headers) => headers["x-api-key"] === undefined)).toBe(true);

  const named = await stack.up(declared({ connection: "far" }));
  expect(named.error).toBeUndefined();
  for (const headers of headersSent())
    expect(headers).toMatchObject({ "x-api-key": FAR_KEY, "x-team": "red" });
  const diagnosticsOf = (run: Run) => run.diagnostics.map(({ message }) => message).join("\n");
  far.behaviour.apiKey = undefined;
  const plan = await stack.preview(declared({ connection: "other" }));
  expect(plan.steps.greeting).toContain("replace");
  expect(diagnosticsOf(plan)).toContain("is replaced, so it runs again (connection far -> other)");
  const moved = await stack.up(declared({ connection: "other" }));
  expect(moved.error).toBeUndefined();
  const headers = headersSent();
  expect(headers.length).toBeGreaterThan(0);
  for (const each of headers) expect(each).toMatchObject({ authorization: `Bearer ${FAR_KEY}` });
  expect((await stack.up(declared({ connection: "other" }))).steps).toEqual({});
  expect((await stack.refresh()).error).toBeUndefined();
  expect(headersSent()).toEqual([]);
  const shown = { ...placesOf(stack, unnamed, named, plan, moved), export: exported(stack) };
  expect(leaksIn(shown, [FAR_KEY])).toEqual([]);
});
