import { created, started } from "../../support/embeddedService";
import { planned } from "../../support/engine/plannedStack";

/** Plans a program that imports an existing deployment and declares `imageUri` as the deployment's image. */
async function imported(imageUri: string) {
  const emulator = await started({ profile: "langsmith", revisionSeconds: 0 });
  const listener = emulator.addListener({ compute_id: "prod" });
  const { id } = await created(emulator, {
    name: "chat",
    source: "external_docker",
    source_config: { listener_id: listener.id, resource_spec: { cpu: 1 } },
    source_revision_config: { image_uri: "registry.example/chat:1" },
    secrets: [],
  });
  const names = Object.entries(emulator.deployments()[0]?.source_config.resource_spec ?? {}).map(
    ([name, value]) => [name.replace(/_(.)/g, (_all, letter) => letter.toUpperCase()), value],
  );
  const resourceSpec = Object.fromEntries(names);
  const args = {
    name: "chat",
    source: "external_docker",
    sourceConfig: { listenerId: listener.id, resourceSpec },
    sourceRevisionConfig: { imageUri },
  };
  const program = `if (again) new Deployment("chat", ${JSON.stringify(args)}, { import: "${id}" });`;
  const run = await planned(emulator, program);
  const [deployment] = run.report.deployments;
  return { run, id, deployment, revisions: emulator.deployments()[0]?.revisions.length };
}

test("the option import with a different image makes a new revision, as the plan line, the report, the gate and the result say", async () => {
  const { run, id, deployment, revisions } = await imported("registry.example/chat:2");
  expect(run.report.summary).toMatchObject({ create: 0, newRevision: 1 });
  expect(deployment).toMatchObject({
    id,
    verdict: "new-revision",
    reasons: [{ path: "sourceRevisionConfig.imageUri", effect: "new-revision" }],
    warnings: [`its option import takes ${id} into the state, and this update changes it`],
  });
  expect(run.offences("new-revision")).toContain('deployment "chat"');
  expect(run.result.outcomes).toMatchObject([{ happened: "new-revision", right: true }]);
  expect([run.upFailed, revisions]).toEqual([false, 2]);
}, 120_000);
