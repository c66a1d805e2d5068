/** A program under mocks opens connections only to this machine, and leaves nothing that keeps its process alive. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");

/** A program with every resource under the mocks. It prints the results and everything that keeps the process alive. */
const PROGRAM = `
  const { Socket } = require("node:net");
  const hosts = new Set();
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    hosts.add(args.flat()[0].host);
    return connect.apply(this, args);
  };
  const pulumi = require("@pulumi/pulumi");
  const sdk = require("./sdk/index.ts");
  const { mocks } = require("./sdk/testing/index.ts");
  const valueOf = (output) => pulumi.runtime.serializeProperties("", { output }).then((all) => all.output);
  async function run(profile) {
    pulumi.runtime.setAllConfig({ "deployment-control:profile": profile });
    await pulumi.runtime.setMocks(mocks(), "app", "dev", false);
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
      sdk.Deployment.get("one", chat.id),
      new sdk.Listener("east", { computeType: "k8s", computeId: "east" }),
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
      await sdk.getRevisions({ deploymentId: ids[0] }),
      await sdk.getListeners(),
    ];
    return [ids.filter(Boolean).length, ...answers.map((entries) => entries.length)];
  }
  (async () => {
    const runs = [await run("contract"), await run("langsmith")];
    // The last connection becomes idle only after its answer.
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Standard output may be a pipe or a terminal, but neither keeps the process alive.
    const open = process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY)Wrap$/.test(name));
    console.log(JSON.stringify({ runs, open, hosts: [...hosts] }));
  })();`;

test("a program with every resource reaches only this machine, and its process ends by itself", () => {
  const printed = execFileSync(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", PROGRAM], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const counts = [6, 1, 1, 1];
  expect(JSON.parse(printed)).toEqual({ runs: [counts, counts], open: [], hosts: ["127.0.0.1"] });
});
