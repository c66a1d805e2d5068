import { BadRequestError, ControlClient, RuntimeClient, ServiceError } from "../../provider/client";
import { RefusedError, UnfinishedError } from "../../provider/failure";
import { EngineRun } from "../../provider/run/run";
import { mutated } from "../support/faults/mutatedAnswers";
import { Random } from "../support/faults/random";
import { sized, tellFigures } from "../support/faults/size";
import { TurnedClock } from "../support/faults/turnedClock";
import { serving } from "../support/httpServer";
import { chat } from "../support/providerRun";
import { deployment, listener } from "../support/resourceCalls";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const REVISION = "5a4c7e9a-441f-4e6f-8f7b-213f2b8c1e0d";
const AT = "2026-01-02T03:04:05.678Z";

const revision = {
  id: REVISION,
  created_at: AT,
  updated_at: AT,
  status: "DEPLOYED",
  source: "repohost",
  source_revision_config: { repo_ref: "main", graph_config_path: "graph.json", repo_commit_sha: "abc" },
};
const resource = {
  id: ID,
  name: "chat",
  source: "repohost",
  tenant_id: ID,
  created_at: AT,
  updated_at: AT,
  status: "READY",
  latest_revision_id: REVISION,
  active_revision_id: REVISION,
  image_version: "1",
  source_config: {
    build_on_push: true,
    custom_url: "https://a.example",
    resource_spec: {
      cpu: 1,
      labels: { a: "b" },
      volumes: [{ name: "v", emptyDir: {} }],
      sidecars: [{ name: "s" }],
    },
    listener_config: { k8s_namespace: "n" },
  },
  source_revision_config: { repo_ref: "main" },
  secrets: [{ name: "TOKEN", value: "***" }],
  secret_references: [{ name: "R", secret_name: "n", secret_key: "k" }],
};
const infrastructure = {
  id: ID,
  compute_type: "k8s",
  compute_id: "c",
  compute_config: { k8s_namespaces: ["a"] },
  version: "1",
  created_at: AT,
};
const repository = {
  host_integration_id: ID,
  id: 1,
  name: "n",
  owner: "o",
  url: "u",
  default_branch: "main",
};
const token = {
  id: "t",
  provider_id: "p",
  provider_account_label: "l",
  scopes: ["s"],
  is_default: true,
  expires_at: AT,
};
const values = { messages: [{ type: "ai", content: [{ type: "text", text: "hello" }] }] };

const page = (entry: object, offset: string | null) => ({
  resources: offset === "0" ? [entry] : [],
  offset: Number(offset) + (offset === "0" ? 1 : 0),
});

/** The answer of a correct service to a request. */
function good(method: string, { pathname, searchParams }: URL): never {
  const offset = searchParams.get("offset");
  const rows: [RegExp, unknown][] = [
    [/^POST \/v2\/deployments$|^PATCH \/v2\/deployments\/[^/]+$/, resource],
    [/^GET \/v2\/deployments$/, page(resource, offset)],
    [/\/revisions$/, page(revision, offset)],
    [/^GET \/v2\/listeners$/, page(infrastructure, offset)],
    [/^PATCH \/v2\/listeners/, infrastructure],
    [/\/repos$/, [repository, { ...repository, id: 2 }]],
    [/\/metadata$/, token],
    [/\/threads$/, { thread_id: "t" }],
    [/\/runs$/, { run_id: "r" }],
    [/\/join$/, values],
    [/\/state$/, { values }],
  ];
  return rows.find(([pattern]) => pattern.test(`${method} ${pathname}`))?.[1] as never;
}

interface Place {
  readonly client: ControlClient;
  readonly runtime: RuntimeClient;
  readonly session: EngineRun;
  readonly url: string;
}

const inputs = { ...chat, rollout: { timeoutSeconds: 60 } };
const state = (url: string) => ({
  ...inputs,
  id: ID,
  serviceUrl: url,
  createdAt: AT,
  latestRevisionId: ID,
  rolloutState: "deployed",
});

const OPERATIONS: { readonly [name: string]: (place: Place) => PromiseLike<unknown> } = {
  "list deployments": ({ client }) => client.listDeployments({ deploymentType: "prod" }),
  "list revisions": ({ client }) => client.listRevisions(ID),
  "list listeners": ({ client }) => client.listListeners(),
  "list repositories": ({ client }) => client.listRepositories(ID),
  "create deployment": ({ client }) => client.createDeployment({ name: "chat", source: "repohost" }),
  "update deployment": ({ client }) => client.updateDeployment(ID, { sourceConfig: { buildOnPush: true } }),
  "update listener": ({ client }) => client.updateListener(ID, { version: "2" }),
  "update token metadata": ({ client }) => client.updateTokenMetadata("t", { isDefault: true }),
  "create thread": ({ runtime }) => runtime.createThread(),
  "create run": ({ runtime }) => runtime.createRun("t", { assistantId: "a", input: { messages: [] } }),
  "join run": ({ runtime }) => runtime.joinRun("t", "r"),
  "read state": ({ runtime }) => runtime.getState("t"),
  create: ({ session }) => deployment.create(session, { ...inputs, name: "other" }),
  adopt: ({ session }) => deployment.create(session, { ...inputs, adopt: true }),
  refresh: ({ session, url }) => deployment.read(session, ID, state(url)),
  get: ({ session }) => deployment.read(session, ID, { __get: true }),
  update: ({ session, url }) =>
    deployment.update(session, ID, state(url), { ...inputs, sourceRevisionConfig: { repoRef: "other" } }),
  "take over a listener": ({ session }) =>
    listener.create(session, { computeType: "k8s", computeId: "c", computeConfig: { k8sNamespaces: ["b"] } }),
  "refresh a listener": ({ session, url }) =>
    listener.read(session, ID, { computeType: "k8s", computeId: "c", serviceUrl: url }),
};

/** Whether the error or its cause has a type that callers can recognize. */
function isTyped(error: unknown): boolean {
  const families = [ServiceError, RefusedError, UnfinishedError, BadRequestError];
  const cause = (error as Error).cause;
  return families.some((family) => error instanceof family) || cause instanceof ServiceError;
}

const HANG_MS = 20_000;

test("if a service returns corrupt answers, the client gives a result, or a typed error that names the operation", async () => {
  const runs = sized(500, 10_000);
  const names = Object.keys(OPERATIONS);
  const total = { unhandled: 0, hangs: 0, untyped: 0, wordless: 0, good: 0, refused: 0 };
  const bad: string[] = [];
  const unhandled = (): void => {
    total.unhandled += 1;
  };
  process.on("unhandledRejection", unhandled);
  let random = new Random(0);
  const { url, seen } = await serving((request, response) => {
    seen.length = 0;
    const body = good(request.method, new URL(request.url, "http://host"));
    const answer = random.chance(0.75)
      ? mutated(body, random)
      : { status: 200, contentType: "application/json", body: Buffer.from(JSON.stringify(body)) };
    response.on("error", () => {});
    response.writeHead(answer.status, {
      "content-type": answer.contentType,
      "content-length": answer.body.length,
    });
    response.end(answer.body);
  });
  const client = new ControlClient({ baseUrl: url, maxRetries: 0 });
  const runtime = new RuntimeClient({ deploymentUrl: url, maxRetries: 0 });
  for (let seed = 1; seed <= runs; seed += 1) {
    random = new Random(seed);
    const name = names[seed % names.length] as string;
    const source = (key: string) => ({ baseUrl: url, maxRetries: "0", journal: "off" })[key];
    const session = new EngineRun(source, { info: async () => {}, warn: async () => {} }, new TurnedClock());
    let timer: NodeJS.Timeout | undefined;
    const hang = new Promise<"hang">((resolve) => {
      timer = setTimeout(() => resolve("hang"), HANG_MS);
    });
    const outcome = await Promise.race([
      Promise.resolve(OPERATIONS[name]?.({ client, runtime, session, url })).then(
        (result) => JSON.stringify(result),
        (error: unknown) => error as Error,
      ),
      hang,
    ]);
    clearTimeout(timer);
    await session.service(undefined).endpoints.close();
    if (outcome === "hang") total.hangs += 1;
    else if (!(outcome instanceof Error)) total.good += 1;
    else if (!isTyped(outcome)) total.untyped += 1;
    else if (outcome instanceof ServiceError && !outcome.message.startsWith(`${outcome.operation}: `))
      total.wordless += 1;
    else total.refused += 1;
    if (outcome === "hang" || (outcome instanceof Error && !isTyped(outcome))) {
      bad.push(
        `seed ${seed}, ${name}: ${outcome instanceof Error ? outcome.stack?.split("\n").slice(0, 4).join(" ") : outcome}`,
      );
    }
  }
  process.off("unhandledRejection", unhandled);
  await Promise.all([client.close(), runtime.close()]);
  tellFigures(
    `mutated answers: ${runs}: ${total.unhandled} unhandled, ${total.hangs} hangs, ${total.untyped} without a type, ` +
      `${total.wordless} without words (${total.good} understood, ${total.refused} refused)`,
  );
  expect(bad).toEqual([]);
  expect(total).toMatchObject({ unhandled: 0, hangs: 0, untyped: 0, wordless: 0 });
  expect(Math.min(total.good, total.refused)).toBeGreaterThan(runs / 10);
}, 900_000);
