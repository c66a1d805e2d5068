import path from "node:path";
import {
  type FoundRepository,
  getDeploymentsOutput,
  getRepositoriesOutput,
  getRevisionsOutput,
} from "../../sdk/index";
import { Deployment } from "../support/engine/form";
import { bodiesOf, chat, sent } from "../support/engine/programs";
import { service, testStack } from "../support/engine/stack";
import { ProjectStack } from "../support/examples/projectStack";

const KEY = "key-of-the-stack";
const INTEGRATION = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/**
 * A stack whose configuration has the service's address, because an inline program does not see the stack's
 * environment.
 */
async function configured() {
  const { emulator, stack } = await testStack({ apiKey: KEY });
  await stack.stack.setConfig("deployment-control:baseUrl", { value: emulator.url });
  await stack.stack.setConfig("deployment-control:apiKey", { value: KEY, secret: true });
  return { emulator, stack };
}

test("a program creates a deployment from a repository that a look-up has found", async () => {
  const { emulator, stack } = await configured();
  emulator.addRepositories(INTEGRATION, [
    { owner: "acme", name: "other" },
    { owner: "acme", name: "agent", default_branch: "trunk" },
  ]);
  const program = () => {
    const repository = getRepositoriesOutput({ integrationId: INTEGRATION }).apply(
      (repositories) => repositories.find(({ name }) => name === "agent") as FoundRepository,
    );
    new Deployment("agent", {
      name: "agent",
      source: "repohost",
      sourceConfig: { integrationId: repository.hostIntegrationId, repoUrl: repository.url },
      sourceRevisionConfig: { repoRef: repository.defaultBranch, graphConfigPath: "graph.json" },
    });
  };
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "POST")).toMatchObject([
    {
      source_config: {
        integration_id: INTEGRATION,
        repo_url: "https://repohost.example.test/acme/agent",
      },
      source_revision_config: { repo_ref: "trunk", graph_config_path: "graph.json" },
    },
  ]);
  const again = await stack.up(program);
  expect(again.steps).toEqual({});
  expect(new Set(sent(again))).toEqual(new Set(["GET /v1/integrations/forge/repohost/ID/repos"]));
});

test("if the id of a look-up is unknown, the plan shows the result as unknown, and the apply sends the request", async () => {
  const { emulator, stack } = await configured();
  const program = () => {
    const { id } = new Deployment("chat", chat());
    const revisions = getRevisionsOutput({ deploymentId: id, statuses: ["DEPLOYED"] });
    return {
      statuses: revisions.apply((list) => list.map(({ status }) => status)),
      named: getDeploymentsOutput({ deploymentIds: [id] }).apply((list) =>
        list.map(({ name, secretNames }) => `${name}: ${secretNames.join(" ")}`),
      ),
    };
  };
  const preview = await stack.preview(program);
  expect([preview.error, sent(preview)]).toEqual([undefined, []]);
  emulator.behaviour.secretsInResponses = "echoed";
  const up = await stack.up(program);
  expect(up.error).toBeUndefined();
  expect(up.outputs).toEqual({ statuses: ["DEPLOYED"], named: ["chat: OPENAI_API_KEY TOKEN"] });
  expect(stack.filesOfState()).not.toContain("sk-first-secret-value");
});

test("if the service refuses the key, the preview fails with one line that does not show the key", async () => {
  const key = "key-that-is-wrong";
  const emulator = await service({ apiKey: KEY });
  // The program runs in a separate process, because the failure of an inline program would fail the test.
  const project = await ProjectStack.of(path.join(__dirname, "../../examples/repositories"));
  await project.set("deployment-control:baseUrl", emulator.url, false);
  await project.set("deployment-control:apiKey", key, true);
  await project.set("repositories:integrationId", INTEGRATION, false);
  const said = await project.run("preview").catch(({ message }: Error) => message);
  expect(said).toContain("getRepositories: list repositories: GET http");
  expect(said).toContain("Check deployment-control:apiKey");
  expect(said).not.toMatch(/^ +at /m);
  expect(said).not.toContain(key);
});
