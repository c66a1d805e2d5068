/** Look-ups: what the service has, for a program to build on. */
import * as pulumi from "@pulumi/pulumi";
import type {
  DeploymentFilters,
  ListenerAnswer,
  RepositoryAnswer,
  RevisionAnswer,
  RevisionFilters,
} from "../../provider/client/control";
import { NAME } from "../../provider/fields/naming";
import type { FoundDeployment, LookUpRange, OnConnection } from "../../provider/lookups";
import { refuseBadConfiguration } from "./configuration";
import type { ArgumentsOf } from "./properties";
import { refusal } from "./refusal";

export type { FoundDeployment } from "../../provider/lookups";
/** A revision as the service answers it. */
export type FoundRevision = RevisionAnswer;
/** A listener as the service answers it. */
export type FoundListener = ListenerAnswer;
/** A repository of an integration. */
export type FoundRepository = Required<RepositoryAnswer>;

export type GetDeploymentsArgs = DeploymentFilters & LookUpRange & OnConnection;
export type GetListenersArgs = LookUpRange & OnConnection;
export type GetRevisionsArgs = RevisionFilters &
  LookUpRange &
  OnConnection & {
    /** Id of the deployment. */
    deploymentId: string;
  };
export type GetRepositoriesArgs = OnConnection & {
  /** Id of the repository-host integration. */
  integrationId: string;
};

/**
 * The deployments that meet all of the filters.
 *
 * Reads all pages, at preview too, and leaves out what a service answers beyond the filters; `limit` caps the whole
 * result. Of secrets only names are shown. Rejects with a RunError for a bad filter or bound, a setting that is
 * missing, and whatever the service refuses.
 */
export function getDeployments(args: GetDeploymentsArgs = {}): Promise<FoundDeployment[]> {
  return lookUp("getDeployments", args);
}

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export function getDeploymentsOutput(
  args: pulumi.Input<ArgumentsOf<GetDeploymentsArgs>> = {},
): pulumi.Output<FoundDeployment[]> {
  return whenKnown(args, getDeployments);
}

/**
 * The revisions of a deployment, in the service's order, in any of `statuses` where those are given.
 *
 * Reads all pages, at preview too; `limit` caps the whole result. Rejects with a RunError as `getDeployments` does.
 */
export function getRevisions(args: GetRevisionsArgs): Promise<FoundRevision[]> {
  return lookUp("getRevisions", args);
}

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export function getRevisionsOutput(
  args: pulumi.Input<ArgumentsOf<GetRevisionsArgs>>,
): pulumi.Output<FoundRevision[]> {
  return whenKnown(args, getRevisions);
}

/**
 * The listeners on which deployments can run.
 *
 * Reads all pages, at preview too; `limit` caps the whole result. Rejects with a RunError as `getDeployments` does.
 */
export function getListeners(args: GetListenersArgs = {}): Promise<FoundListener[]> {
  return lookUp("getListeners", args);
}

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export function getListenersOutput(
  args: pulumi.Input<ArgumentsOf<GetListenersArgs>> = {},
): pulumi.Output<FoundListener[]> {
  return whenKnown(args, getListeners);
}

/**
 * The repositories that an integration reaches: `hostIntegrationId`, `url` and `defaultBranch` are a deployment's
 * `sourceConfig.integrationId`, `sourceConfig.repoUrl` and `sourceRevisionConfig.repoRef`.
 *
 * One request, at preview too. Rejects with a RunError for an id that is no UUID, and whatever the service refuses.
 */
export function getRepositories(args: GetRepositoriesArgs): Promise<FoundRepository[]> {
  return lookUp("getRepositories", args);
}

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export function getRepositoriesOutput(
  args: pulumi.Input<ArgumentsOf<GetRepositoriesArgs>>,
): pulumi.Output<FoundRepository[]> {
  return whenKnown(args, getRepositories);
}

function whenKnown<A, R>(
  args: pulumi.Input<ArgumentsOf<A>>,
  find: (args: A) => Promise<R[]>,
): pulumi.Output<R[]> {
  return pulumi.output(args).apply((given) => find(given as A)) as pulumi.Output<R[]>;
}

type Found = typeof import("../../provider/lookups");
type LookUp = "getDeployments" | "getRevisions" | "getListeners" | "getRepositories";

/** The SDK reads files between loading a program and awaiting its exports. */
const PROGRAM_LOADS_MS = 100;

async function lookUp<N extends LookUp>(name: N, args: object): Promise<Awaited<ReturnType<Found[N]>>> {
  const config = new pulumi.Config(NAME);
  // Loaded here: most programs look nothing up, and this takes long to load.
  const found = require("../../provider/lookups") as Found;
  try {
    refuseBadConfiguration();
    const find = found[name] as (...given: Parameters<Found[LookUp]>) => ReturnType<Found[N]>;
    return await find((key) => config.get(key), args as Parameters<Found[LookUp]>[1]);
  } catch (error) {
    // Once the SDK awaits the program's exports: before that, Node would warn of a rejection that nobody handles yet.
    await new Promise((resolve) => setTimeout(resolve, PROGRAM_LOADS_MS));
    const words = found.wordsOfFailure(error);
    throw words === undefined ? error : refusal(`${name}: ${words}`);
  }
}
