/**
 * Moves a stack from a TypeScript program in the dynamic form to a program in another language, which uses the plugin.
 */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../sdk/emulator/index";
import { started } from "../support/embeddedService";
import { hosting, type Variables, WITH_BUILD } from "../support/languages/hosts";
import { Project } from "../support/languages/project";

const ROOT = path.join(__dirname, "..", "..");

const PROGRAM = `
const { Deployment, Listener } = require("pulumi-deployment-control");
const cluster = new Listener("cluster", { computeType: "k8s", computeId: "cluster-1" });
const chat = new Deployment("chat", {
  name: "chat",
  source: "external_docker",
  sourceConfig: { listenerId: cluster.id, resourceSpec: { minScale: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { TOKEN: "token-of-the-move" },
});
exports.key = chat.revisionKey;
`;

/** A project whose stack a TypeScript program in the dynamic form has made. */
async function inDynamicForm(environment: Variables): Promise<Project> {
  const emulator: Emulator = await started({ apiKey: "key-of-the-tests" });
  emulator.addListener({ compute_id: "cluster-1" });
  const project = await Project.on(emulator, "nodejs", environment);
  const modules = path.join(project.folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(path.join(ROOT, "node_modules", "@pulumi"), path.join(modules, "@pulumi"));
  symlinkSync(ROOT, path.join(modules, "pulumi-deployment-control"));
  project.write("package.json", JSON.stringify({ name: "language", main: "index.js" }));
  project.write("index.js", PROGRAM);
  await project.stack.run("up", "--yes", "--skip-preview");
  rmSync(modules, { recursive: true });
  return project;
}

/** Expects that the first up updates the resource without a request, and that the next update updates nothing. */
async function movesQuietly({ stack, emulator }: Project): Promise<void> {
  emulator.requests.length = 0;
  const plan = await stack.run("preview");
  expect(plan).toContain("sends nothing: moves between the dynamic form and the plugin");
  expect(plan).toMatch(/Resources:\n +~ 1 to update\n +\d+ unchanged/);
  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/~ 1 updated\n +\d+ unchanged/);
  expect(await stack.run("up", "--yes")).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const [deployment, ...others] = emulator.deployments();
  expect(others).toEqual([]);
  expect(deployment?.revisions).toHaveLength(1);
  expect(deployment?.secrets).toEqual([{ name: "TOKEN", value: "token-of-the-move" }]);
}

const YAML = `
resources:
  cluster:
    type: deployment-control:Listener
    properties: { computeType: k8s, computeId: cluster-1 }
  chat:
    type: deployment-control:Deployment
    properties:
      name: chat
      source: external_docker
      sourceConfig: { listenerId: "$\{cluster.id}", resourceSpec: { minScale: 1 } }
      sourceRevisionConfig: { imageUri: "registry.example/chat:1" }
      secrets: { TOKEN: { fn::secret: token-of-the-move } }
outputs:
  key: $\{chat.revisionKey}
`;

test(
  "a stack of the dynamic form moves to a program in YAML, and nothing is sent",
  async () => {
    const project = await inDynamicForm(hosting("yaml"));
    project.inLanguage("yaml");
    project.write("Pulumi.yaml", YAML);
    await movesQuietly(project);
  },
  WITH_BUILD,
);
