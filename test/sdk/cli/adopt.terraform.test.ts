import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { EmulatorOptions } from "../../../sdk/emulator/index";
import { adopt, workFolder } from "../../support/adopt/command";
import { typescriptDeclares } from "../../support/adopt/declaredResources";
import { terraformState } from "../../support/adopt/terraformState";
import { created, started } from "../../support/embeddedService";

const variable = (name: string, value: string) => ({ name, value });

/** Adopts a deployment that has these variables and is in Terraform's state, and returns the written project. */
async function adopted(secrets: readonly object[], resource: object, options: EmulatorOptions = {}) {
  const emulator = await started({ profile: "langsmith", secretsInResponses: "echoed", ...options });
  const { id } = await created(emulator, {
    name: "agent",
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: "registry.example/agent:1" },
    secret_references: [{ name: "REFERRED", secret_name: "search", secret_key: "key" }],
    secrets,
  });
  const work = workFolder();
  const ran = await adopt(
    emulator,
    work,
    ["--out", "p", "--terraform", "-"],
    { DEPLOYMENT_CONTROL_PROFILE: options.profile ?? "langsmith" },
    terraformState({ agent: { id, ...resource } }),
  );
  expect(ran).toMatchObject({ code: 0, errors: "" });
  const files = readdirSync(path.join(work, "p"));
  const textOf = (file: string) => readFileSync(path.join(work, "p", file), "utf8");
  return { textOf, readme: textOf("README.md"), everything: files.map(textOf).join("\n") };
}

const agentIn = ({ textOf }: { textOf: (file: string) => string }) =>
  typescriptDeclares(textOf("index.ts")).deployments.agent;

test("Terraform's plain variables become the program's environment with the service's values, and no file contains a secret", async () => {
  const project = await adopted(
    [
      variable("LOG_LEVEL", "debug"),
      variable("REGION", "eu"),
      variable("API_KEY", "canary-of-a-secret"),
      variable("BY_HAND", "canary-by-hand"),
    ],
    { values: { environment_variables: { LOG_LEVEL: "info", REGION: "eu" } } },
  );
  expect(agentIn(project)).toMatchObject({ environment: { REGION: "eu" } });
  expect(agentIn(project)).not.toHaveProperty("secrets");
  expect(project.textOf("index.ts")).toMatch(
    /\/\/ The first change of environment removes these secrets.*: "API_KEY", "BY_HAND", "LOG_LEVEL"\.$/m,
  );
  expect(project.readme).toContain("Unless you first declare the following in `secrets`");
  expect(project.readme).toContain("- `agent`: `API_KEY`, `BY_HAND`, `LOG_LEVEL`\n");
  expect(project.readme).toContain("`environment.LOG_LEVEL`: the service has another value than Terraform");
  expect(project.everything).not.toMatch(/canary|info"|debug/);
});

test("the program omits a variable that Terraform marks sensitive, whose value looks like a credential, or that the service does not have", async () => {
  const project = await adopted(
    [variable("MARKED", "canary-marked"), variable("TOKEN", "ghp_canaryOfAToken"), variable("KEPT", "kept")],
    {
      values: {
        environment_variables: {
          MARKED: "canary-marked",
          TOKEN: "canary-before",
          KEPT: "kept",
          GONE: "gone",
          REFERRED: "canary-referred",
        },
      },
      sensitive_values: { environment_variables: { MARKED: true } },
    },
  );
  expect(agentIn(project)).toMatchObject({ environment: { KEPT: "kept" } });
  expect(project.readme).toContain(
    "`environment.TOKEN`: its value looks like a credential; put it in secrets",
  );
  expect(project.readme).toContain(
    "`environment.GONE`, `environment.REFERRED`: the service has no variable of this name",
  );
  expect(project.readme).toContain("`secrets.MARKED`");
  expect(project.everything).not.toContain("canary");
});

test.each([
  ["the whole resource is sensitive", { sensitive_values: true }],
  ["the whole map is sensitive", { sensitive_values: { environment_variables: true } }],
  ["the resource belongs to another provider", { type: "other_deployment" }],
])("no file has a variable's value if %s", async (_, resource) => {
  const project = await adopted([variable("KEY", "canary")], {
    values: { environment_variables: { KEY: "canary" } },
    ...resource,
  });
  expect(agentIn(project)).not.toHaveProperty("environment");
  expect(project.everything).not.toContain("canary");
});

test.each([
  ["langsmith", "named"],
  ["langsmith", "masked"],
  ["contract", "masked"],
] as const)(
  "under profile %s, with secretsInResponses %s, the program omits the variable, and the README shows Terraform's value",
  async (profile, secretsInResponses) => {
    const project = await adopted(
      [variable("LOG_LEVEL", "info"), variable("API_KEY", "canary-of-a-secret")],
      { values: { environment_variables: { LOG_LEVEL: "info" } } },
      { profile, secretsInResponses },
    );
    expect(agentIn(project)).not.toHaveProperty("environment");
    expect(project.readme).toContain('Terraform has "info", and the service does not show its value');
    expect(project.everything).not.toContain("canary");
  },
);
