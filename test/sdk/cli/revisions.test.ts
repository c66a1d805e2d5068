import path from "node:path";
import { cli, type Ran, workFolder } from "../../support/adopt/command";
import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf } from "../../support/providerRun";
import { pendingExport } from "../../support/recover/pendingExport";

const CANARY = "canary of the log/1";
const settings = { repoRef: "main", graphConfigPath: "graph.json" };
const agent = { ...chat, sourceConfig: {}, sourceRevisionConfig: settings, secrets: { TOKEN: CANARY } };

type Deployed = Awaited<ReturnType<typeof deployed>>;

const deployed = (failureLog: string[] = []) =>
  createdDeployment(agent, { profile: "langsmith", revisionSeconds: 0, failureLog });

/** Runs the command on the state of the deployment. */
function revisions({ emulator, id, outputs }: Deployed, ...args: string[]): Promise<Ran> {
  const home = workFolder();
  const env = { PATH: process.env.PATH, HOME: home, PULUMI_HOME: path.join(home, "pulumi") };
  const text = pendingExport({
    settings: { baseUrl: emulator.url, profile: "langsmith" },
    pending: [],
    resources: [{ id, inputs: agent, outputs: { ...outputs, ...agent } }],
  });
  return cli(["revisions", "chat", "--file", "-", ...args], home, env, text);
}

test("--log prints the whole log of a revision, with secrets masked and without control characters", async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `step ${index + 1}`);
  const run = await deployed([...lines, `token \u001b[31m${CANARY}`, encodeURIComponent(CANARY)]);
  run.emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  await failureOf(run.update({ ...agent, sourceRevisionConfig: { ...settings, repoRef: "next" } }));
  const id = run.stored()?.latest_revision_id as string;
  const { code, out, errors } = await revisions(run, "--log", id);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(out).toBe(`${[...lines, "token [secret]", "[secret]"].join("\n")}\n`);
});

test("--log fails for a revision that has no log, and the error says so", async () => {
  const run = await deployed();
  const id = run.stored()?.latest_revision_id as string;
  expect(await revisions(run, "--log", id)).toMatchObject({
    code: 1,
    out: "",
    errors: `deployment-control: --log: the service shows no log of revision ${id}\n`,
  });
});

test("the list says why a revision shows no change", async () => {
  const run = await deployed();
  await run.update({ ...agent, secrets: { TOKEN: "another-value" } });
  const { out } = await revisions(run);
  expect(out.split("\n").filter((line) => line.startsWith("      "))).toEqual([
    expect.stringContaining("repoCommitSha"),
    "      the first revision",
  ]);
  const image = { ...agent, source: "internal_docker", sourceRevisionConfig: { imageUri: "a.example/b:1" } };
  const built = await createdDeployment(image, { profile: "langsmith", revisionSeconds: 0 });
  await built.update({ ...image, secrets: { TOKEN: "another-value" } });
  expect((await revisions(built)).out).toContain(
    "      no other settings; variables, other arguments and a repetition are not shown by a revision\n",
  );
});
