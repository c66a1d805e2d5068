/**
 * Imports an account with `pulumi import`. Checks the state that the command writes, and runs the code that it prints
 * with Pulumi's YAML host.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ask, started } from "../support/embeddedService";
import { hosting, WITH_BUILD } from "../support/languages/hosts";
import { Project } from "../support/languages/project";

const COUNT = 50;
const secretOf = (index: number): string => `sk-canary-${index}-of-the-import`;
const SECRETS = /sk-canary/;

/** Deployments of every kind: with and without secrets, with many settings and with few. */
const bodyOf = (index: number): object => ({
  name: `chat-${index}`,
  ...(index % 2 === 0
    ? {
        source: "external_docker",
        source_config: {
          resource_spec: { min_scale: 1, max_scale: 2 + (index % 3), labels: { "a.b/c": "d" } },
        },
        source_revision_config: { image_uri: `registry.example/chat:${index}` },
      }
    : {
        source: "repohost",
        source_config: {
          repo_url: "https://repohost.example.test/acme/agent",
          install_command: `make "$\{TARGET}" # ${index}`,
          build_on_push: true,
        },
        source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      }),
  secrets: index % 5 === 0 ? [] : [{ name: "KEY", value: secretOf(index) }],
});

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

test(
  "after an import of fifty deployments and a listener, the code and the state contain no secret, and the code's first preview shows no change",
  async () => {
    const emulator = await started({ secretsInResponses: "echoed" });
    const ids: string[] = [];
    for (let index = 0; index < COUNT; index += 1)
      ids.push((await ask(emulator, "POST", "/v2/deployments", bodyOf(index))).body.id);
    const listener = emulator.addListener({ compute_type: "k8s", compute_id: "cluster" });
    const project = await Project.on(emulator, "yaml", hosting("yaml"));
    const resources = [
      ...ids.map((id, index) => ({ type: "deployment-control:index:Deployment", name: `chat-${index}`, id })),
      { type: "deployment-control:index:Listener", name: "cluster", id: listener.id },
    ];
    writeFileSync(path.join(project.folder, "import.json"), JSON.stringify({ resources }));
    const program = path.join(project.folder, "program.yaml");
    const before = emulator.requests.length;

    const said = await project.stack.run(...["import", "--file", "import.json", "--yes", "--out", program]);
    const code = readFileSync(program, "utf8");
    const methods = emulator.requests.slice(before).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
    expect(code.match(/type: deployment-control:Deployment/g)).toHaveLength(COUNT);
    expect(said + code + filesIn(project.stack.home)).not.toMatch(SECRETS);

    project.write("Pulumi.yaml", code);
    const preview = await project.stack.run("preview", "--expect-no-changes");
    expect(preview).toMatch(new RegExp(`${COUNT + 2} unchanged`));
    expect(preview).not.toMatch(SECRETS);
  },
  WITH_BUILD,
);
