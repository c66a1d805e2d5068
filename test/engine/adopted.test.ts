/**
 * Adopts the deployments of an account with the command `adopt`, and then checks, applies and compares the project with
 * the real engine.
 */
import path from "node:path";
import type { Emulator } from "../../sdk/emulator/index";
import { adopt, workFolder } from "../support/adopt/command";
import { created, started } from "../support/embeddedService";
import { ProjectStack } from "../support/examples/projectStack";

const HOSTILE = "*/ }`$" + "{process.exit(7)}\n\u2028\"'\\ $" + "{prod.id} {{x}} %s";

async function account(): Promise<Emulator> {
  const emulator = await started({ secretsInResponses: "masked" });
  const { id: listener_id } = emulator.addListener({
    compute_id: "prod",
    compute_config: { k8s_namespaces: ["a"] },
  });
  const secrets = [{ name: HOSTILE, value: "canary-of-the-account" }];
  await created(emulator, {
    name: "chat",
    source: "external_docker",
    source_config: {
      listener_id,
      listener_config: { k8s_namespace: "a" },
      resource_spec: {
        min_scale: 2,
        labels: { [HOSTILE]: HOSTILE, empty: "" },
        annotations: {},
        volumes: [{ name: "cache", emptyDir: {} }],
        sidecars: [
          {
            name: "log",
            image: "log:1",
            args: [HOSTILE],
            env: [{ name: "A", value: HOSTILE }],
            resources: { limits: { cpu: 1, more: [null, true] } },
          },
        ],
      },
    },
    source_revision_config: { image_uri: "registry.example/chat:1" },
    secrets,
    secret_references: [{ name: "R", secret_name: "search", secret_key: "key" }],
  });
  await created(emulator, {
    name: HOSTILE,
    source: "repohost",
    source_config: {
      repo_url: "https://repohost.example/acme/agent",
      build_on_push: false,
      install_command: HOSTILE,
    },
    source_revision_config: { repo_ref: "main", graph_config_path: HOSTILE },
    secrets,
  });
  emulator.requests.length = 0;
  return emulator;
}

const writes = (emulator: Emulator): string[] =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
const revisions = (emulator: Emulator): number =>
  emulator.deployments().reduce((sum, deployment) => sum + deployment.revisions.length, 0);

test("an adopted project passes its check, its first up sends only GETs, and a comparison finds later changes on the service", async () => {
  const emulator = await account();
  const before = emulator.deployments();
  const work = workFolder();
  const written = await adopt(emulator, work, ["--out", "infra", "--check"]);
  expect(written).toEqual({ code: 0, errors: "", out: expect.stringMatching(/^2 adopted, 0 changes$/m) });

  const [chat] = emulator.deployments().filter(({ name }) => name === "chat");
  const scaled = (min_scale: number) =>
    emulator.change(chat?.id as string, { source_config: { resource_spec: { min_scale } } });
  scaled(3);
  const changed = await adopt(emulator, work, ["--check", "--out", "infra"]);
  expect(changed).toMatchObject({ code: 2, out: expect.stringMatching(/\n2 adopted, 1 change\n$/) });
  expect(changed.errors).toMatch(/^deployment "chat": .*\(sourceConfig\.resourceSpec\.minScale 3 -> 2\)\n$/);
  scaled(2);

  const folder = path.join(work, "infra");
  const stack = await ProjectStack.of(folder, { DEPLOYMENT_CONTROL_BASE_URL: emulator.url });
  expect(await stack.run("up", "--yes", "--skip-preview")).toContain("3 created");
  expect(writes(emulator)).toEqual([]);
  expect(revisions(emulator)).toBe(2);
  const { updated_at: _first, ...unchanged } = emulator.deployments()[0] as never as Record<string, unknown>;
  expect(before[0]).toMatchObject(unchanged);
  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\d+ unchanged\n/);

  const variables = {
    PULUMI_BACKEND_URL: `file://${path.join(stack.home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: undefined,
  };
  const agreed = await adopt(emulator, folder, ["--compare", "--stack", "test"], variables);
  expect(agreed).toEqual({
    code: 0,
    errors: "",
    out: `${emulator.url}: the programs and the service agree, of 2 deployments and 1 listener\n`,
  });
  scaled(3);
  const differs = await adopt(emulator, folder, ["--compare", "--stack", "test"], variables);
  expect(differs).toMatchObject({
    code: 2,
    out: expect.stringContaining("sourceConfig.resourceSpec.minScale  program: 2  service: 3"),
  });
  expect(writes(emulator)).toEqual([]);
});
