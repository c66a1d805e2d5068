/**
 * One row of a table defines a field. This test adds one row for a made-up field and nothing else; everything that
 * derives from the tables must then have the field.
 */
import { ControlClient } from "../../provider/client";
import { changesBetween } from "../../provider/diff/changes";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { connectionFrom } from "../../provider/run/configuration";
import { faultInWords, faultsIn } from "../../provider/schema/check";
import { deploymentRows } from "../../provider/schema/deployment";
import type { Properties } from "../../provider/schema/value";
import { readAccount } from "../../sdk/adopt/read/account";
import { selectionOf } from "../../sdk/adopt/read/selection";
import { programOf } from "../../sdk/adopt/write/program";
import { typescript } from "../../sdk/adopt/write/typescript";
import type { Emulator } from "../../sdk/emulator";
import { schema } from "../../tools/docs/schema/package";
import { started } from "../support/embeddedService";

jest.mock("../../provider/schema/deployment", () => {
  const actual = jest.requireActual("../../provider/schema/deployment");
  const { group, newRevision, text } = jest.requireActual("../../provider/schema/kind");
  const sourceRevisionConfigRows = {
    ...actual.sourceRevisionConfigRows,
    dockerfilePath: newRevision("dockerfile_path", text),
  };
  const sourceRevisionConfig = group("source_revision_config", sourceRevisionConfigRows);
  return {
    ...actual,
    sourceRevisionConfigRows,
    deploymentRows: { ...actual.deploymentRows, sourceRevisionConfig },
  };
});

const argsWith = (dockerfilePath: unknown): Properties => ({
  name: "agent",
  source: "repohost",
  sourceRevisionConfig: { repoRef: "main", dockerfilePath },
});

let emulator: Emulator;
let client: ControlClient;

beforeEach(async () => {
  emulator = await started();
  client = new ControlClient({ baseUrl: emulator.url, maxRetries: 0 });
});
afterEach(() => client.close());

test("the check of the arguments finds a wrong value in a new field", () => {
  expect(faultsIn(deploymentRows, argsWith("Dockerfile"), () => false)).toEqual([]);
  expect(
    faultsIn(deploymentRows, argsWith(1), () => false).map((fault) => String(faultInWords(fault))),
  ).toEqual(["sourceRevisionConfig.dockerfilePath: got 1 (a number); allowed: a string"]);
});

test.each(Object.entries(PROFILES))(
  "under the profile %s, a change to a new field has the class that the field's row names",
  (_, profile) => {
    const changes = changesBetween(deploymentRows, argsWith("one"), argsWith("other"), profile as Profile);
    expect(changes).toMatchObject([{ path: "sourceRevisionConfig.dockerfilePath", effect: "newRevision" }]);
  },
);

test("a new field is sent, stored and read back, and a change to the field makes a revision", async () => {
  const { id } = await client.createDeployment(argsWith("one") as never);
  expect(emulator.requests.at(-1)?.body).toMatchObject({
    source_revision_config: { repo_ref: "main", dockerfile_path: "one" },
  });
  await client.updateDeployment(id, { sourceRevisionConfig: { dockerfilePath: "other" } } as never);
  expect(emulator.requests.at(-1)?.body).toEqual({
    source_revision_config: { dockerfile_path: "other" },
  });
  const liveInputs = { sourceRevisionConfig: { repoRef: "main", dockerfilePath: "other" } };
  expect(await client.listDeployments()).toMatchObject([liveInputs]);
  expect(await client.listRevisions(id)).toMatchObject([
    liveInputs,
    { sourceRevisionConfig: { repoRef: "main", dockerfilePath: "one" } },
  ]);
});

test("the plugin's schema has a new field for resources and look-ups", () => {
  const prose = {
    ofRow: () => "Prose.",
    ofTable: () => undefined,
    ofChoice: () => "string",
    ofExport: () => "Prose.",
  };
  const { types } = schema(prose) as { types: { [token: string]: { properties?: object } } };
  for (const name of ["DeploymentSourceRevisionConfig", "RevisionSourceRevisionConfig"])
    expect(types[`deployment-control:index:${name}`]?.properties).toMatchObject({
      dockerfilePath: { description: "Prose.", type: "string" },
    });
});

test("a program written by the command `adopt` sets a new field", async () => {
  await client.createDeployment(argsWith("Dockerfile") as never);
  const connection = connectionFrom((key) => (key === "baseUrl" ? emulator.url : undefined), {}, undefined);
  const account = await readAccount(connection);
  const wanted = { names: [], statuses: [], ids: [], terraform: undefined };
  const program = programOf(account, selectionOf(account, wanted));
  const project = { name: "adopted", packageSpec: "0.0.0", pulumiVersion: "3.250.0" };
  expect(typescript.files(program, project)["index.ts"]).toContain(
    'sourceRevisionConfig: { repoRef: "main", dockerfilePath: "Dockerfile" },',
  );
});
