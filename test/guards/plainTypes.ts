/** Only the type checker reads this file: the generated interfaces must match the rows. */
import type * as pulumi from "@pulumi/pulumi";
import type * as tables from "../../provider/client/resources";
import type * as values from "../../provider/client/types";
import type { deploymentRows } from "../../provider/fields/deployment";
import type { deploymentFilterRows, revisionFilterRows } from "../../provider/fields/filters";
import type { Json, Rows, ValuesOf } from "../../provider/fields/kind";
import type { listenerRows } from "../../provider/fields/listener";
import type { lookUpRows } from "../../provider/fields/lookups";
import type { repositoryRows } from "../../provider/fields/repository";
import type { revisionRows } from "../../provider/fields/revision";
import type { rolloutRows } from "../../provider/fields/rollout";
import type { smokeTestRows } from "../../provider/fields/smokeTest";
import type { tokenMetadataArgumentRows, tokenMetadataRows } from "../../provider/fields/tokenMetadata";
import type * as program from "../../sdk/program/types";

/**
 * Replaces the inputs of a type with plain values, so that a generated interface can be compared with the type of its
 * rows.
 */
type Plain<T> = 0 extends 1 & T
  ? Json
  : Json extends T
    ? Json
    : Members<Exclude<T, Promise<unknown> | pulumi.Output<unknown>>>;
type Members<T> = T extends readonly (infer E)[]
  ? Plain<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Both<A, R extends Rows> = Same<Plain<A>, Plain<ValuesOf<R>>>;
/** The type of a change: every field may be left out, or null to clear the field. */
type Change<T> = T extends string | readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Change<T[K]> | null }
    : T;
type Changing<A, R extends Rows> = Same<Plain<A>, Plain<Change<ValuesOf<R>>>>;

type Holds<Facts extends readonly true[]> = Facts;

export type Client = Holds<
  [
    Both<values.NewDeployment, typeof tables.newDeploymentRows>,
    Both<values.DeploymentAnswer, typeof tables.deploymentAnswerRows>,
    Both<values.ShownDeployment, typeof tables.foundDeploymentRows>,
    Both<values.DeploymentFilters, typeof deploymentFilterRows>,
    Both<values.RevisionAnswer, typeof revisionRows>,
    Both<values.RevisionFilters, typeof revisionFilterRows>,
    Both<values.NewListener, typeof tables.newListenerRows>,
    Both<values.ListenerAnswer, typeof tables.listenerAnswerRows>,
    Both<values.RepositoryAnswer, typeof repositoryRows>,
    Both<values.TokenMetadataAnswer, typeof tables.tokenAnswerRows>,
    Changing<values.DeploymentChange, typeof tables.deploymentChangeRows>,
    Changing<values.ListenerChange, typeof tables.listenerChangeRows>,
    Changing<values.TokenMetadataChange, typeof tokenMetadataRows>,
  ]
>;

export type Program = Holds<
  [
    Both<program.DeploymentArgs, typeof deploymentRows>,
    Both<program.ListenerArgs, typeof listenerRows>,
    Both<program.TokenMetadataArgs, typeof tokenMetadataArgumentRows>,
    Both<program.RolloutOwnArgs, Omit<typeof rolloutRows, "deployments">>,
    Both<program.SmokeTestArgs, typeof smokeTestRows>,
    Both<program.GetDeploymentsArgs, typeof lookUpRows.getDeployments>,
    Both<program.GetRevisionsArgs, typeof lookUpRows.getRevisions>,
    Both<program.GetListenersArgs, typeof lookUpRows.getListeners>,
    Both<program.GetRepositoriesArgs, typeof lookUpRows.getRepositories>,
    Both<program.GetDeploymentsOutputArgs, typeof lookUpRows.getDeployments>,
    Both<program.GetRevisionsOutputArgs, typeof lookUpRows.getRevisions>,
    Both<program.GetListenersOutputArgs, typeof lookUpRows.getListeners>,
    Both<program.GetRepositoriesOutputArgs, typeof lookUpRows.getRepositories>,
  ]
>;

// @ts-expect-error an interface without a field of the table
export type Missing = Holds<[Both<Omit<program.DeploymentArgs, "adopt">, typeof deploymentRows>]>;
type OtherRows = Pick<typeof listenerRows, "computeConfig">;
// @ts-expect-error an interface with another kind of value, two levels down
export type Other = Holds<[Both<{ computeConfig?: { k8sNamespaces?: number[] } }, OtherRows>]>;
type SameRows = Holds<[Both<{ computeConfig?: { k8sNamespaces?: string[] } }, OtherRows>]>;
export type Right = SameRows;
