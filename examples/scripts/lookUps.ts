/** A program with look-ups, which exports the service's data as outputs. `test/examples/scripts.test.ts` runs it. */
import * as pulumi from "@pulumi/pulumi";
import {
  getDeployments,
  getIntegrations,
  getListeners,
  getRepositories,
  getRevisionsOutput,
} from "pulumi-deployment-control";

const settings = new pulumi.Config("scripts");

// The names of all running deployments. The entries of a list are plain objects.
export const running = getDeployments({ status: "READY" }).then((deployments) =>
  deployments.map(({ name }) => name),
);

// The last failed revisions of one deployment. The id may also be an output of a deployment in this program.
export const failures = getRevisionsOutput({
  deploymentId: settings.require("deploymentId"),
  statuses: ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"],
  limit: 5,
});

// The clusters to choose from.
export const clusters = getListeners().then((listeners) => listeners.map(({ computeId }) => computeId));

// The default branch of a repository.
export const branch = getRepositories({ integrationId: settings.require("integrationId") }).then(
  (repositories) => repositories.find(({ name }) => name === "support-agent")?.defaultBranch,
);

// The integration of an account on the repository host, if the service can list its integrations.
export const integration = getIntegrations().then(
  (integrations) => integrations.find(({ name }) => name === "acme")?.id,
);
