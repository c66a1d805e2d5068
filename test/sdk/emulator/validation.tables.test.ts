import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { sourceConfigRows, sourceRevisionConfigRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { ask, created, started } from "../../support/embeddedService";

function sampleOf(kind: Kind<unknown>): unknown {
  switch (kind.type) {
    case "uuid":
      return "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
    case "integer":
      return 3;
    case "number":
      return 1.5;
    case "boolean":
      return true;
    case "choice":
      return kind.values[0];
    case "list":
      return [sampleOf(kind.of)];
    case "map":
      return { key: sampleOf(kind.of) };
    case "jsonObject":
      return { any: [1, null, { thing: "x" }] };
    case "object":
      return sampleOfRows(kind.rows);
    default:
      return "text";
  }
}

function sampleOfRows(rows: Rows): Record<string, unknown> {
  return Object.fromEntries(Object.values(rows).map(({ wire, kind }) => [wire ?? "", sampleOf(kind)]));
}

test("every field of the tables is accepted as it is, at every depth", async () => {
  const emulator = await started();
  const config = sampleOfRows(sourceConfigRows);
  const revisionConfig = sampleOfRows(sourceRevisionConfigRows);
  const deployment = await created(emulator, {
    name: "all",
    source: "external_docker",
    source_config: config,
    source_revision_config: revisionConfig,
  });
  expect(deployment.source_config).toEqual(config);
  expect(deployment.source_revision_config).toEqual({ ...revisionConfig, repo_commit_sha: null });
  const { id } = deployment;
  const patch = { source_config: config, source_revision_config: revisionConfig };
  expect((await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch)).body.source_config).toEqual(config);
});

test("importing the emulator loads no Pulumi", () => {
  const root = join(__dirname, "../../..");
  const script = `require("./sdk/emulator/index.ts");
    console.log(Object.keys(require.cache).filter((file) => file.includes("@pulumi")).length)`;
  const output = execFileSync(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", script], {
    cwd: root,
  });
  expect(output.toString().trim()).toBe("0");
});
