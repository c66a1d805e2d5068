/** A program under mocks opens no socket, and leaves nothing that keeps its process alive. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");
const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/**
 * A program with every resource and look-up under the mocks; prints the results and all that keeps the process alive.
 */
const PROGRAM = `
  const { Socket } = require("node:net");
  Socket.prototype.connect = () => { throw new Error("a socket was opened"); };
  const pulumi = require("@pulumi/pulumi");
  const sdk = require("./sdk/index.ts");
  const { mocks } = require("./sdk/testing/index.ts");
  const id = "${ID}";
  const valueOf = (output) => pulumi.runtime.serializeProperties("", { output }).then((all) => all.output);
  async function run(profile) {
    const fixtures = { deployments: [{ id, name: "one" }], listeners: [{ id }], repositories: [] };
    await pulumi.runtime.setMocks(mocks({ ...fixtures, configuration: { profile } }), "app", "dev", false);
    const args = (name, others) => ({
      name,
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
      secrets: { TOKEN: "value" },
      ...others,
    });
    const chat = new sdk.Deployment("chat", args("chat"));
    const swift = new sdk.Deployment("swift", args("swift", { rollout: { wait: false } }));
    const made = [
      chat,
      new sdk.Deployment("adopted", args("one", { adopt: true })),
      sdk.Deployment.get("one", id),
      new sdk.Listener("east", { computeType: "k8s", computeId: "east" }),
      sdk.Listener.get("first", id),
      new sdk.TokenMetadata("token", { tokenId: "t", isDefault: true }),
      new sdk.Rollout("all", { deployments: [swift] }),
      new sdk.SmokeTest("greeting", {
        deploymentUrl: "https://chat.example",
        assistantId: "agent",
        messages: [{ role: "user", content: "hello" }],
        expect: { contains: "hi" },
      }),
    ];
    const ids = await Promise.all(made.map((resource) => valueOf(resource.id)));
    const answers = [
      await sdk.getDeployments({ name: "chat" }),
      await sdk.getRevisions({ deploymentId: id }),
      await sdk.getListeners(),
      await sdk.getRepositories({ integrationId: id }),
    ];
    return [ids.filter(Boolean).length, ...answers.map((entries) => entries.length)];
  }
  (async () => {
    const runs = [await run("contract"), await run("langsmith")];
    // Standard output may be a pipe or a terminal, which does not keep the process alive.
    const open = process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY)Wrap$/.test(name));
    console.log(JSON.stringify({ runs, open }));
  })();`;

test("a program with every resource and look-up opens no socket, and its process ends by itself", () => {
  const printed = execFileSync(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", PROGRAM], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const counts = [8, 1, 2, 2, 0];
  expect(JSON.parse(printed)).toEqual({ runs: [counts, counts], open: [] });
});
