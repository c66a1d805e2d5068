/** Moves the examples of the service's Terraform provider to Pulumi; the first plan then changes nothing. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator/index";
import { adopt, workFolder } from "../support/adopt/command";
import { terraformState } from "../support/adopt/terraformState";
import { ask, created, started } from "../support/embeddedService";
import { ProjectStack } from "../support/examples/projectStack";

const VARIABLES = { DEPLOYMENT_CONTROL_PROFILE: "langsmith" };

interface Example {
  readonly hosting: EmulatorOptions["hosting"];
  /** The body of the POST that Terraform sends. `recorded`: the values in Terraform's state. */
  readonly body: (emulator: Emulator) => object;
  readonly recorded?: object;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  "a repository with plain variables and secrets": {
    hosting: "cloud",
    body: () => ({
      source: "github",
      source_config: {
        integration_id: "5b8f3a52-6c1e-4d7a-9b1f-0c2d3e4f5a6b",
        repo_url: "https://github.com/example/support-agent",
        deployment_type: "dev",
        build_on_push: true,
      },
      source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
      secrets: [
        { name: "LOG_LEVEL", value: "info" },
        { name: "OPENAI_API_KEY", value: "canary-of-a-secret" },
      ],
    }),
    recorded: { environment_variables: { LOG_LEVEL: "info" } },
  },
  "an image on a listener with a resource spec and references to Secrets": {
    hosting: "self-hosted",
    body: (emulator) => ({
      source: "external_docker",
      source_config: {
        listener_id: emulator.addListener({
          compute_id: "prod",
          compute_config: { k8s_namespaces: ["agents"] },
        }).id,
        listener_config: { k8s_namespace: "agents" },
        resource_spec: {
          ...{ min_scale: 1, max_scale: 3, cpu: 1, cpu_limit: 2, memory_mb: 1024, memory_limit_mb: 2048 },
          ...{ labels: { team: "agents" }, annotations: { owner: "a" }, service_account_name: "agent" },
        },
      },
      source_revision_config: { image_uri: "registry.example/agent:1" },
      secrets: [],
      secret_references: [{ name: "API_KEY", secret_name: "agent", secret_key: "api-key" }],
    }),
  },
};

test.each(Object.entries(EXAMPLES))(
  "%s moves over from Terraform: the first plan changes nothing, and the first up sends only GETs",
  async (_, { hosting, body, recorded }) => {
    const emulator = await started({ profile: "langsmith", hosting, secretsInResponses: "echoed" });
    const { id } = await created(emulator, { name: "support-agent", ...body(emulator) });
    await ask(emulator, "PATCH", `/v2/deployments/${id}`, { display_name: "Support Agent" });
    emulator.requests.length = 0;
    const work = workFolder();
    const args = ["--out", "infra", "--check", "--terraform", "-"];
    const state = terraformState({ agent: { id, values: recorded ?? {} } });
    expect(await adopt(emulator, work, args, VARIABLES, state)).toEqual({
      code: 0,
      errors: "",
      out: expect.stringMatching(/^1 adopted, 0 changes$/m),
    });

    const stack = await ProjectStack.of(path.join(work, "infra"), {
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      ...VARIABLES,
    });
    expect(readFileSync(path.join(stack.folder, "index.ts"), "utf8")).toContain(
      'displayName: "Support Agent",',
    );
    expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/\d created/);
    expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\d+ unchanged\n/);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(emulator.deployments().map(({ revisions }) => revisions.length)).toEqual([1]);
  },
);
