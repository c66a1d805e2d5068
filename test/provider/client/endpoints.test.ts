/** Tests each endpoint by itself: the request that reaches the service, and the errors that the caller gets. */
import { Endpoints } from "../../../provider/client/endpoints";
import { StatusError, UnexpectedAnswerError } from "../../../provider/client/errors";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { failureOf, type Handler, json, type Served, serving } from "../../support/httpServer";

interface Setup {
  readonly endpoints: Endpoints;
  readonly service: Served;
}

const openEndpoints: Endpoints[] = [];
afterEach(() => Promise.all(openEndpoints.splice(0).map((endpoints) => endpoints.close())));

async function setupWith(handler: Handler): Promise<Setup> {
  const service = await serving(handler, "langsmith");
  const settings = { baseUrl: service.url, headers: {}, requestTimeoutSeconds: 10, maxRetries: 0 };
  const endpoints = new Endpoints({ ...settings, maxConcurrency: 8 }, PROFILES.langsmith as Profile);
  openEndpoints.push(endpoints);
  return { endpoints, service };
}

async function all(pages: AsyncIterable<readonly object[]>): Promise<object[]> {
  const entries: object[] = [];
  for await (const page of pages) entries.push(...page);
  return entries;
}

type Use = (endpoints: Endpoints) => Promise<unknown>;
const body = { version: "1" };
const BODY = JSON.stringify(body);
const PAGE = "?limit=100&offset=0";

const each: readonly (readonly [string, string, string, string, Use])[] = [
  ["create deployment", "POST", "/v2/deployments", BODY, (endpoints) => endpoints.createDeployment(body)],
  ["list deployments", "GET", `/v2/deployments${PAGE}`, "", (endpoints) => all(endpoints.listDeployments())],
  ["read deployment", "GET", "/v2/deployments/a%2Fb", "", (endpoints) => endpoints.getDeployment("a/b")],
  [
    "update deployment",
    "PATCH",
    "/v2/deployments/a%2Fb",
    BODY,
    (endpoints) => endpoints.updateDeployment("a/b", body),
  ],
  [
    "delete deployment",
    "DELETE",
    "/v2/deployments/a%2Fb",
    "",
    (endpoints) => endpoints.deleteDeployment("a/b"),
  ],
  [
    "list revisions",
    "GET",
    `/v2/deployments/a%2Fb/revisions${PAGE}`,
    "",
    (endpoints) => all(endpoints.listRevisions("a/b")),
  ],
  ["list listeners", "GET", `/v2/listeners${PAGE}`, "", (endpoints) => all(endpoints.listListeners())],
  ["create listener", "POST", "/v2/listeners", BODY, (endpoints) => endpoints.createListener(body)],
  [
    "update listener",
    "PATCH",
    "/v2/listeners/a%2Fb",
    BODY,
    (endpoints) => endpoints.updateListener("a/b", body),
  ],
  ["delete listener", "DELETE", "/v2/listeners/a%2Fb", "", (endpoints) => endpoints.deleteListener("a/b")],
  [
    "list repositories",
    "GET",
    "/v1/integrations/github/a%2Fb/repos",
    "",
    (endpoints) => endpoints.listRepositories("a/b"),
  ],
  [
    "update token metadata",
    "PATCH",
    "/v2/auth/tokens/a%2Fb/metadata",
    BODY,
    (endpoints) => endpoints.updateTokenMetadata("a/b", body),
  ],
];

test.each(each)(
  "%s sends %s %s, and the error about a refusal names the operation, method and address",
  async (operation, method, to, sent, use) => {
    const { endpoints, service } = await setupWith((_, response) => json(response, { detail: "no" }, 400));
    const error = await failureOf(use(endpoints));
    expect(error).toBeInstanceOf(StatusError);
    const url = service.url + to.replace(PAGE, "");
    expect(error.message).toBe(`${operation}: ${method} ${url} answered 400: no`);
    expect(service.seen.map((seen) => [seen.method, seen.url, seen.body])).toEqual([[method, to, sent]]);
  },
);

test.each([[{ resources: [] }], [null], ["text"], [[{ id: 1 }, "text"]], [["text"]]])(
  "%j is not a list of repositories",
  async (answered) => {
    const { endpoints } = await setupWith((_, response) => json(response, answered));
    const error = await failureOf(endpoints.listRepositories("one"));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toMatch(/^list repositories: GET .* answered 200 with no list of repositories$/);
  },
);

test.each<[unknown, string]>([
  [null, "without an id"],
  [["one"], "without an id"],
  [{ name: "chat" }, "without an id"],
  [{ id: "one", status: 7 }, "whose status is not a string"],
])("%j is not a resource", async (answered, fault) => {
  const { endpoints, service } = await setupWith((_, response) => json(response, answered));
  const error = await failureOf(endpoints.updateDeployment("one", {}));
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error.message).toBe(
    `update deployment: PATCH ${service.url}/v2/deployments/one answered 200 with a resource ${fault}`,
  );
});
