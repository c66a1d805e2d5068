/** A program under mocks opens no socket, and leaves nothing that keeps its process alive. */
import { execFileSync } from "node:child_process";
import { Socket } from "node:net";
import { join } from "node:path";
import { ServiceEndpoints } from "../../../provider/client/endpoints";
import { connectionFrom } from "../../../provider/run/configuration";
import { MockService } from "../../../sdk/testing/service";

const ROOT = join(__dirname, "../../..");
const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

afterEach(() => jest.restoreAllMocks());

/** Whether the endpoint's call takes an id. */
const takesId = (method: string): boolean => !/^(create|list(Deployments|Listeners)$)/.test(method);

const methods = Object.entries(Object.getOwnPropertyDescriptors(ServiceEndpoints.prototype))
  .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
  .map(([name]) => name as keyof ServiceEndpoints);

test.each(methods)("the mocks answer %s without a network, with any setting", async (method) => {
  const connect = jest.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("a socket was opened");
  });
  const settings: { readonly [key: string]: string } = {
    baseUrl: "https://mocks.example",
    profile: "langsmith",
  };
  const connection = connectionFrom((key) => settings[key], {}, undefined);
  const { endpoints } = new MockService(connection, { deployments: [{ id: ID }], listeners: [{ id: ID }] });
  const asked = async () => {
    const answer = await (endpoints[method] as (...args: unknown[]) => unknown)(
      ...(takesId(method) ? [ID, {}] : [{}]),
    );
    if (Symbol.asyncIterator in Object(answer)) for await (const _page of answer as AsyncIterable<unknown>);
  };
  await asked().catch(() => undefined);
  expect(connect).not.toHaveBeenCalled();
});

/** A program with every resource and look-up under the mocks; prints the results, and what keeps its process alive. */
const PROGRAM = `
  const { Socket } = require("node:net");
  Socket.prototype.connect = () => { throw new Error("a socket was opened"); };
  const pulumi = require("@pulumi/pulumi");
  const sdk = require("./sdk/index.ts");
  const { mocks } = require("./sdk/testing/index.ts");
  const id = "${ID}";
  const valueOf = (output) => pulumi.runtime.serializeProperties("", { output }).then((all) => all.output);
  async function run(profile) {
    const given = { deployments: [{ id, name: "one" }], listeners: [{ id }], repositories: [] };
    await pulumi.runtime.setMocks(mocks({ ...given, configuration: { profile } }), "app", "dev", false);
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
    const found = [
      await sdk.getDeployments({ name: "chat" }),
      await sdk.getRevisions({ deploymentId: id }),
      await sdk.getListeners(),
      await sdk.getRepositories({ integrationId: id }),
    ];
    return [ids.filter(Boolean).length, ...found.map((entries) => entries.length)];
  }
  (async () => {
    const found = [await run("contract"), await run("langsmith")];
    // Standard output may be a pipe.
    const open = process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY)Wrap$/.test(name));
    console.log(JSON.stringify({ found, open }));
  })();`;

test("a program with every resource and look-up opens no socket, and its process ends by itself", () => {
  const printed = execFileSync(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", PROGRAM], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const counts = [8, 1, 2, 2, 0];
  expect(JSON.parse(printed)).toEqual({ found: [counts, counts], open: [] });
});
