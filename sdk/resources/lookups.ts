/** Look-ups: lists of the service's deployments, revisions, listeners, repositories and integrations. */
import * as pulumi from "@pulumi/pulumi";
import type {
  FoundDeployment,
  IntegrationAnswer,
  ListenerAnswer,
  RepositoryAnswer,
  RevisionAnswer,
} from "../../provider/client/resources";
import { LOOK_UPS, type LookUp } from "../../provider/schema/lookups";
import { pluginTypeToken } from "../../provider/schema/naming";
import type { Arguments } from "../../provider/schema/recorded";
import { refuseBadConfiguration, stackSettings } from "./configuration";
import { refusal } from "./refusal";
import type {
  GetDeploymentsArgs,
  GetDeploymentsOutputArgs,
  GetIntegrationsArgs,
  GetIntegrationsOutputArgs,
  GetListenersArgs,
  GetListenersOutputArgs,
  GetRepositoriesArgs,
  GetRepositoriesOutputArgs,
  GetRevisionsArgs,
  GetRevisionsOutputArgs,
} from "./types";

export type { FoundDeployment } from "../../provider/client/resources";
/** A revision as the service returns it. */
export interface FoundRevision extends RevisionAnswer {}
/** A listener as the service returns it. */
export interface FoundListener extends ListenerAnswer {}
/** A repository of an integration. */
export interface FoundRepository extends RepositoryAnswer {}
/** An integration with a repository host. */
export interface FoundIntegration extends IntegrationAnswer {}

type LookUps = typeof import("../../provider/lookups");

/** After loading a program, the SDK reads files for at most this long, and then awaits the program's exports. */
const PROGRAM_LOADS_MS = 100;

const lookUp =
  <G extends [args?: object], R>(name: LookUp) =>
  async (...[args = {}]: G): Promise<R[]> =>
    (isMocked() ? await askMocks(name, args) : await askService(name, args)) as R[];

/** A unit test runs the program under `pulumi.runtime.setMocks`, which sets a monitor but no engine. */
function isMocked(): boolean {
  return pulumi.runtime.hasMonitor() && pulumi.runtime.getEngine() === undefined;
}

async function askService(name: LookUp, args: object): Promise<unknown[]> {
  // Loads this module only when needed, because loading takes 63 ms. Importing the package takes 12 ms.
  const lookUps = require("../../provider/lookups") as LookUps;
  try {
    refuseBadConfiguration();
    return await lookUps.LOOK_UP_CALLS[name](lookUps.configured(stackSettings()), args as Arguments);
  } catch (error) {
    // Waits, because Node would report an earlier error as an unhandled rejection.
    await new Promise((resolve) => setTimeout(resolve, PROGRAM_LOADS_MS));
    const message = lookUps.wordsOfFailure(error);
    throw message === undefined ? error : refusal(`${name}: ${message}`);
  }
}

/** Reads the list from the answer of the mocks' `call`. */
async function askMocks(name: LookUp, args: object): Promise<unknown[]> {
  const token = pluginTypeToken(name);
  const answer = await pulumi.runtime.invoke(token, args as pulumi.Inputs).catch(({ message }: Error) => {
    throw refusal(
      `${name}: ${message || `the mocks' call threw an error for ${token}, whose words Pulumi's SDK does not pass on`}`,
    );
  });
  const list = answer?.[LOOK_UPS[name]];
  if (Array.isArray(list)) return list;
  throw refusal(
    `${name}: the mocks' call has no answer for ${token}; allowed: { ${LOOK_UPS[name]}: […] }, which the mocks of pulumi-deployment-control/testing give`,
  );
}

const asOutput =
  <G extends [args?: pulumi.Input<object>], R>(find: (args: never) => Promise<R[]>) =>
  (...[args]: G): pulumi.Output<R[]> =>
    pulumi.output(args).apply((resolved) => find(resolved as never)) as pulumi.Output<R[]>;

/**
 * The deployments that meet every filter.
 *
 * Reads pages until the result is complete, at preview too. Drops entries that do not meet the filters. `limit` caps
 * the whole result. Secrets are shown by name only. A bad filter or bound, a missing setting, and a refusal by the
 * service are errors (in TypeScript a RunError).
 */
export const getDeployments = lookUp<[args?: GetDeploymentsArgs], FoundDeployment>("getDeployments");

/**
 * The list that `getDeployments` finds, as an output. At preview, while an argument is unknown, the output is unknown
 * and no request is sent.
 */
export const getDeploymentsOutput = asOutput<
  [args?: pulumi.Input<GetDeploymentsOutputArgs>],
  FoundDeployment
>(getDeployments);

/**
 * The revisions of a deployment, in the service's order. With `statuses`, the list has only revisions in
 * one of these statuses.
 *
 * Reads pages until the result is complete, at preview too. `limit` caps the whole result. Throws the same errors as
 * `getDeployments`.
 */
export const getRevisions = lookUp<[args: GetRevisionsArgs], FoundRevision>("getRevisions");

/**
 * The list that `getRevisions` finds, as an output. At preview, while an argument is unknown, the output is unknown
 * and no request is sent.
 */
export const getRevisionsOutput = asOutput<[args: pulumi.Input<GetRevisionsOutputArgs>], FoundRevision>(
  getRevisions,
);

/**
 * The listeners on which deployments can run.
 *
 * Reads pages until the result is complete, at preview too. `limit` caps the whole result. Throws the same errors as
 * `getDeployments`.
 */
export const getListeners = lookUp<[args?: GetListenersArgs], FoundListener>("getListeners");

/**
 * The list that `getListeners` finds, as an output. At preview, while an argument is unknown, the output is unknown
 * and no request is sent.
 */
export const getListenersOutput = asOutput<[args?: pulumi.Input<GetListenersOutputArgs>], FoundListener>(
  getListeners,
);

/**
 * The repositories that an integration reaches. In a deployment's arguments, give a repository's `hostIntegrationId` as
 * `sourceConfig.integrationId`, its `url` as `sourceConfig.repoUrl`, and its `defaultBranch` as
 * `sourceRevisionConfig.repoRef`.
 *
 * Sends one request, at preview too. An id that is not a UUID is an error (in TypeScript a RunError), and so is a
 * refusal by the service.
 */
export const getRepositories = lookUp<[args: GetRepositoriesArgs], FoundRepository>("getRepositories");

/**
 * The list that `getRepositories` finds, as an output. At preview, while an argument is unknown, the output is unknown
 * and no request is sent.
 */
export const getRepositoriesOutput = asOutput<
  [args: pulumi.Input<GetRepositoriesOutputArgs>],
  FoundRepository
>(getRepositories);

/**
 * The integrations with repository hosts. Give an integration's `id` as `sourceConfig.integrationId` of a deployment.
 *
 * Sends one request, at preview too. A profile without this call, such as `contract`, is an error.
 */
export const getIntegrations = lookUp<[args?: GetIntegrationsArgs], FoundIntegration>("getIntegrations");

/** The list that `getIntegrations` finds, as an output. */
export const getIntegrationsOutput = asOutput<
  [args?: pulumi.Input<GetIntegrationsOutputArgs>],
  FoundIntegration
>(getIntegrations);
