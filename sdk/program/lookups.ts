/** Look-ups: what the service has, for a program to build on. */
import * as pulumi from "@pulumi/pulumi";
import type { ListenerAnswer, RepositoryAnswer, RevisionAnswer } from "../../provider/client/control";
import type { ValuesOf } from "../../provider/fields/kind";
import { LOOK_UPS, type LookUp, type lookUpRows, lookUpToken } from "../../provider/fields/lookups";
import { NAME } from "../../provider/fields/naming";
import type { Properties } from "../../provider/fields/value";
import type { FoundDeployment } from "../../provider/lookups";
import { refuseBadConfiguration } from "./configuration";
import type { ArgumentsOf } from "./properties";
import { refusal } from "./refusal";

export type { FoundDeployment } from "../../provider/lookups";
/** A revision as the service answers it. */
export type FoundRevision = RevisionAnswer;
/** A listener as the service answers it. */
export type FoundListener = ListenerAnswer;
/** A repository of an integration. */
export type FoundRepository = RepositoryAnswer;

export type GetDeploymentsArgs = ValuesOf<typeof lookUpRows.getDeployments>;
export type GetListenersArgs = ValuesOf<typeof lookUpRows.getListeners>;
export type GetRevisionsArgs = ValuesOf<typeof lookUpRows.getRevisions>;
export type GetRepositoriesArgs = ValuesOf<typeof lookUpRows.getRepositories>;

type Found = typeof import("../../provider/lookups");

/** The SDK reads files between loading a program and awaiting its exports. */
const PROGRAM_LOADS_MS = 100;

const lookUp =
  <G extends [args?: object], R>(name: LookUp) =>
  async (...[args = {}]: G): Promise<R[]> =>
    (isMocked() ? await askMocks(name, args) : await askService(name, args)) as R[];

/** Whether a unit test runs the program, under `pulumi.runtime.setMocks`: there is something to register with, but no engine. */
function isMocked(): boolean {
  return pulumi.runtime.hasMonitor() && pulumi.runtime.getEngine() === undefined;
}

async function askService(name: LookUp, args: object): Promise<unknown[]> {
  const config = new pulumi.Config(NAME);
  // Loaded here: most programs look nothing up, and this takes long to load.
  const found = require("../../provider/lookups") as Found;
  try {
    refuseBadConfiguration();
    return await found[name](
      found.configured((key) => config.get(key)),
      args as Properties,
    );
  } catch (error) {
    // Once the SDK awaits the program's exports: before that, Node would warn of a rejection that nobody handles yet.
    await new Promise((resolve) => setTimeout(resolve, PROGRAM_LOADS_MS));
    const words = found.wordsOfFailure(error);
    throw words === undefined ? error : refusal(`${name}: ${words}`);
  }
}

/** What the mocks' `call` answers, under the name that the engine's function of that token has for its list. */
async function askMocks(name: LookUp, args: object): Promise<unknown[]> {
  const token = lookUpToken(name);
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

type InputsOf<G extends unknown[]> = { [K in keyof G]: pulumi.Input<ArgumentsOf<NonNullable<G[K]>>> };

const asOutput =
  <G extends [args?: object], R>(find: (...given: G) => Promise<R[]>) =>
  (...[args]: InputsOf<G>): pulumi.Output<R[]> =>
    pulumi.output(args).apply((given) => find(...([given] as unknown as G))) as pulumi.Output<R[]>;

/**
 * The deployments that meet all of the filters.
 *
 * Reads all pages, at preview too, and leaves out what a service answers beyond the filters; `limit` caps the whole
 * result. Of secrets only names are shown. A bad filter or bound, a setting that is missing, and whatever the service
 * refuses are errors (in TypeScript a RunError).
 */
export const getDeployments = lookUp<[args?: GetDeploymentsArgs], FoundDeployment>("getDeployments");

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export const getDeploymentsOutput = asOutput(getDeployments);

/**
 * The revisions of a deployment, in the service's order, in any of `statuses` where those are given.
 *
 * Reads all pages, at preview too; `limit` caps the whole result. Errors are those of `getDeployments`.
 */
export const getRevisions = lookUp<[args: GetRevisionsArgs], FoundRevision>("getRevisions");

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export const getRevisionsOutput = asOutput(getRevisions);

/**
 * The listeners on which deployments can run.
 *
 * Reads all pages, at preview too; `limit` caps the whole result. Errors are those of `getDeployments`.
 */
export const getListeners = lookUp<[args?: GetListenersArgs], FoundListener>("getListeners");

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export const getListenersOutput = asOutput(getListeners);

/**
 * The repositories that an integration reaches: `hostIntegrationId`, `url` and `defaultBranch` are a deployment's
 * `sourceConfig.integrationId`, `sourceConfig.repoUrl` and `sourceRevisionConfig.repoRef`.
 *
 * One request, at preview too. An id that is no UUID, and whatever the service refuses, are errors (in TypeScript a
 * RunError).
 */
export const getRepositories = lookUp<[args: GetRepositoriesArgs], FoundRepository>("getRepositories");

/** The same as an output. At preview, while an argument is unknown, the result is unknown and no request is sent. */
export const getRepositoriesOutput = asOutput(getRepositories);
