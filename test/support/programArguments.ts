/** Arguments of a deployment, as a program writes them. */
import type { DeploymentArgs } from "../../sdk/index";

export const chatWithToken: DeploymentArgs = {
  name: "chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { TOKEN: "token-secret-value" },
};
