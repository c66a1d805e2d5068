import { Deployment, type DeploymentArgs } from "../../sdk";
import { closeAll, service, stackOn } from "./stack";

afterEach(() => closeAll());

const chat = (args: Partial<DeploymentArgs> = {}): DeploymentArgs => ({
  name: "chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3 } },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { OPENAI_API_KEY: "sk-first-secret-value" },
  ...args,
});

const declares =
  (args: Partial<DeploymentArgs> = {}) =>
  () => {
    const deployment = new Deployment("chat", chat(args));
    return { generation: deployment.revisionGeneration, key: deployment.revisionKey };
  };

test("a creation posts once, and the next up sends nothing", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const created = await stack.up(declares());
  console.log(
    created.text,
    created.requests.map((r) => r.method + r.path),
    created.outputs,
  );
  const again = await stack.up(declares());
  console.log(again.text, again.requests.length);
  const p = await stack.preview(declares({ sourceRevisionConfig: { imageUri: "registry.example/chat:2" } }));
  console.log(p.text, p.requests.length);
  const q = await stack.up(declares({ sourceRevisionConfig: { imageUri: "registry.example/chat:2" } }));
  console.log(
    q.text,
    q.requests.map((r) => [r.method + r.path, JSON.stringify(r.body)]),
  );
  console.log(JSON.stringify(await stack.recorded("chat"), null, 1));
});
