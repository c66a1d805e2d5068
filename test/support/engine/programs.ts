/** Programs for the engine tests, and the facts that these tests check after a run. */
import { resourceOfType, typeIn } from "../../../provider/schema/naming";
import type { Emulator } from "../../../sdk/emulator/index";
import type { DeploymentArgs } from "../../../sdk/index";
import { Deployment } from "./form";
import type { Run } from "./stack";

export const FIRST_IMAGE = "registry.example/chat:1";
export const SECOND_IMAGE = "registry.example/chat:2";

/** Arguments of a deployment that runs an image. `args` overrides these arguments. */
export function chat(args: Partial<DeploymentArgs> = {}): DeploymentArgs {
  return {
    name: "chat",
    source: "external_docker",
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3 } },
    sourceRevisionConfig: { imageUri: FIRST_IMAGE },
    secrets: { OPENAI_API_KEY: "sk-first-secret-value", TOKEN: "token-first-secret-value" },
    ...args,
  };
}

/** A program that declares the deployment, and exports its id, generation and revision key. */
export function declares(args: Partial<DeploymentArgs> = {}) {
  return () => {
    const deployment = new Deployment("chat", chat(args));
    return { generation: deployment.revisionGeneration, key: deployment.revisionKey, id: deployment.id };
  };
}

/**
 * A program that declares a deployment, and exports nothing. The deployment has a name, a source, an image and `args`.
 */
export const declaresOnly =
  (args: Partial<DeploymentArgs> = {}) =>
  (): void => {
    const bare = {
      name: "chat",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "i:1" },
    } as const;
    new Deployment("chat", { ...bare, ...args });
  };

/** The messages about a deployment, each once, without messages that the CLI later removes from the screen. */
export function lines(run: Run): string[] {
  const lines = run.diagnostics
    .filter(({ urn, severity, ephemeral }) => {
      const stays = severity !== "debug" && !ephemeral;
      return stays && resourceOfType(typeIn(urn)) === "Deployment";
    })
    .map(({ message }) => message);
  return [...new Set(lines)];
}

/** The requests of a run, without ids, such as `PATCH /v2/deployments/ID`. */
export function sent(run: Run): string[] {
  return run.requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, "ID")}`);
}

export function bodiesOf(run: Run, method: string): unknown[] {
  return run.requests.filter((request) => request.method === method).map(({ body }) => body);
}

/** Number of revisions that the deployment with that name has on the service. */
export function revisionCount(emulator: Emulator, name = "chat"): number {
  return emulator.deployments().find((deployment) => deployment.name === name)?.revisions.length ?? 0;
}
