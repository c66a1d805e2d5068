import { started } from "../../support/embeddedService";
import { planned } from "../../support/engine/plannedStack";

const program = (url: string) => `
  class Provider extends pulumi.ProviderResource {
    constructor(name, args) { super("deployment-control", name, args); }
  }
  const baseUrl = again ? later("${url}") : "${url}";
  const provider = new Provider("east", { baseUrl, profile: "langsmith" });
  const args = (name, tag) => ({ name, source: "external_docker", sourceConfig: { listenerId: ON[0] }, sourceRevisionConfig: { imageUri: "registry.example/chat:" + tag }, secrets: { KEY: "value-of-key" } });
  new Deployment("changed", args("changed", again ? 2 : 1), { provider });
  new Deployment("same", args("same", 1), { provider });
  new Deployment("renamed", args(again ? "renamed-2" : "renamed", 1), { provider });
  if (again) new Deployment("new", args("new", 1), { provider });
  new Listener("cluster", { computeType: "k8s", computeId: "cluster", computeConfig: { k8sNamespaces: [again ? "b" : "a"] } }, { provider });
`;

test("if a provider's settings are unknown until the apply, the gate says that the provider's resources may change in any way", async () => {
  const emulator = await started({ profile: "langsmith", revisionSeconds: 0 });
  const run = await planned(emulator, program(emulator.url));
  const verdicts = run.report.deployments.map(({ name, verdict, reasons }) => [
    name,
    verdict,
    reasons.map(({ path }) => path).join(),
  ]);
  expect(verdicts).toEqual([
    ["changed", "may-create-revision", ""],
    ["new", "may-create-revision", ""],
    ["renamed", "may-create-revision", ""],
    ["same", "may-create-revision", ""],
  ]);
  const gate = run.offences("may");
  for (const name of ["same", "new", "cluster"])
    expect(gate).toMatch(new RegExp(`"${name}": settings of its provider are not known before the update`));
  expect(run.report.deployments.map(({ secrets }) => secrets.removed)).toEqual([[], [], [], []]);
  expect([run.upFailed, run.result.wrong, run.result.right]).toEqual([false, 0, 3]);
}, 120_000);
