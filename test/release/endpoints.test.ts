/** Tests the command that compares the recorded facts of the service's API document with a newer document. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { differences } from "../../tools/endpoints/compare";

const RECORDER = path.join(__dirname, "../../tools/endpoints/record.mjs");
const recording = JSON.parse(readFileSync(path.join(__dirname, "../endpoints/recording.json"), "utf8"));

// biome-ignore lint/suspicious/noExplicitAny: an edit can change any place in the document.
type Loose = any;

/** The lines that the command prints for the recorded document after an edit. */
function linesAfter(edit: (document: Loose) => void): string[] {
  const document = JSON.parse(JSON.stringify(recording));
  edit(document);
  return differences(recording, document);
}

test("the command accepts a document that differs only in its prose, and fails with a line for each other difference", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "a folder "));
  const compared = (document: object) => {
    const file = path.join(folder, "document.json");
    writeFileSync(file, JSON.stringify(document));
    const { status, stdout } = spawnSync(process.execPath, [RECORDER, "compare", file], { encoding: "utf8" });
    return { status, lines: stdout.split("\n").filter(Boolean) };
  };
  try {
    const { info, paths, schemas } = structuredClone(recording);
    const document = { info: { ...info, description: "new" }, paths, components: { schemas } };
    schemas.Deployment.properties.name.description = "The name.";
    expect(compared(document)).toEqual({ status: 0, lines: [] });
    delete schemas.Deployment.properties.image_version;
    expect(compared(document)).toEqual({ status: 1, lines: ["- Deployment.image_version"] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each<[line: string, edit: (document: Loose) => void]>([
  [
    "+ Deployment.region: string",
    ({ schemas }) => {
      schemas.Deployment.properties.region = { type: "string" };
    },
  ],
  ["- Revision.status", ({ schemas }) => delete schemas.Revision.properties.status],
  [
    "~ Deployment.name: string! -> integer!",
    ({ schemas }) => {
      schemas.Deployment.properties.name.type = "integer";
    },
  ],
  [
    "~ DeploymentPatchRequest.secrets: now required",
    ({ schemas }) => {
      schemas.DeploymentPatchRequest.required = ["secrets"];
    },
  ],
  [
    "~ Deployment.id: no longer required",
    ({ schemas }) => {
      const { required } = schemas.Deployment;
      required.splice(required.indexOf("id"), 1);
    },
  ],
  ['- Deployment.status "UNUSED"', ({ schemas }) => schemas.Deployment.properties.status.enum.splice(2, 1)],
  [
    '+ Deployment.status "PAUSED": value',
    ({ schemas }) => schemas.Deployment.properties.status.enum.push("PAUSED"),
  ],
  [
    "~ GET /v2/deployments query limit: integer (maximum 100, minimum 1) -> integer (maximum 50, minimum 1)",
    ({ paths }) => {
      paths["/v2/deployments"].get.parameters[0].schema.maximum = 50;
    },
  ],
  [
    "~ GET /v2/deployments query offset: now required",
    ({ paths }) => {
      paths["/v2/deployments"].get.parameters[1].required = true;
    },
  ],
  [
    "- GET /v2/deployments query name_contains",
    ({ paths }) => paths["/v2/deployments"].get.parameters.splice(2, 1),
  ],
  [
    "~ POST /v2/deployments answer 201: Deployment -> Revision",
    ({ paths }) => {
      paths["/v2/deployments"].post.responses[201].content["application/json"].schema.$ref =
        "#/components/schemas/Revision";
    },
  ],
  [
    "- PATCH /v2/auth/tokens/{token_id}/metadata",
    ({ paths }) => delete paths["/v2/auth/tokens/{token_id}/metadata"],
  ],
  [
    "+ POST /v2/new (not used)",
    ({ paths }) => {
      paths["/v2/new"] = { post: {} };
    },
  ],
  [
    "~ AuthWaitResponse (not used)",
    ({ schemas }) => {
      schemas.AuthWaitResponse.type = "string";
    },
  ],
])("the command prints the difference: %s", (line, edit) => {
  expect(linesAfter(edit)).toEqual([line]);
});

test("a recorded fact about the newer service does not count as a difference, whether or not the document states that fact", () => {
  const knownFields = ({ schemas }: Loose) => {
    const { properties } = schemas.Deployment;
    properties.display_name = { anyOf: [{ type: "string" }, { type: "null" }] };
    properties.status.enum.push("AWAITING_FINAL_DELETE");
    const open = { anyOf: [{ type: "string" }, { type: "null" }] };
    schemas.SourceConfig.properties.deployment_type = open;
  };
  expect(linesAfter(knownFields)).toEqual([]);
  expect(linesAfter(() => undefined)).toEqual([]);
});
