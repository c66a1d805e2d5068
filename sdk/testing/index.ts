/**
 * Mocks for the unit tests of a program: `pulumi.runtime.setMocks(mocks())`. The mocks need no engine, service, network
 * or configuration.
 */
import * as pulumi from "@pulumi/pulumi";
import { lookUpNamed } from "../../provider/schema/lookups";
import type { Arguments } from "../../provider/schema/recorded";
import type { DeploymentArgs } from "../resources/types";
import { type Given, refuseBadFixtures } from "./fixtures";
import { MockProvider, resourceOf } from "./mockProvider";
import type { PlannedUpdate } from "./planned";

export type { Given, GivenDeployment, GivenListener } from "./fixtures";
export type { PlannedUpdate } from "./planned";
export { refusalOf, valueOf } from "./values";

export interface MocksOptions extends Given {
  /**
   * Settings without their namespace, such as `{ profile: "langsmith" }`. Other settings come from the program's
   * configuration (`pulumi.runtime.setAllConfig`), never from the environment; `baseUrl` needs no value.
   */
  configuration?: { readonly [setting: string]: string };
  /**
   * Mocks for resources and functions of other packages; defaults to each resource and function returns its
   * arguments.
   */
  others?: pulumi.runtime.Mocks;
}

/**
 * Mocks that give resources the outputs of a first `up`, or of its preview if `setMocks` asks for one; look-ups find
 * the deployments, listeners and repositories given here.
 *
 * The mocks check arguments as a plan does: if an argument is bad, the outputs of the resource reject with the plan's
 * message. Ids and times are the same in every run. Throws a TypeError for a deployment, listener or repository in
 * `options` that no service could return.
 */
export function mocks(options: MocksOptions = {}): pulumi.runtime.Mocks {
  const { configuration = {}, others: otherMocks, ...fixtures } = options;
  refuseBadFixtures(fixtures);
  const provider = new MockProvider(fixtures, configuration);
  return {
    async newResource(args) {
      const resource = resourceOf(args.type);
      if (resource !== undefined) return provider.newResource(resource, args);
      if (otherMocks !== undefined) return otherMocks.newResource(args);
      return { id: args.custom === false ? undefined : args.id || `${args.name}-id`, state: args.inputs };
    },
    async call(args) {
      const name = lookUpNamed(args.token);
      if (name !== undefined) return provider.lookUp(name, args.inputs);
      return otherMocks === undefined ? args.inputs : otherMocks.call(args);
    },
  };
}

/**
 * Plans the update of a deployment from the arguments `before`, which a first `up` applied, to the arguments `after`.
 * The plan has a verdict as in the report (`new-revision`, `may-create-revision`, `in-place`, `replace` or
 * `unchanged`), the reasons, and the line that the preview shows. Needs no program and no other mocks. Rejects if the
 * preview would fail.
 */
export async function planOf(
  before: DeploymentArgs,
  after: DeploymentArgs,
  options: Pick<MocksOptions, "configuration"> = {},
): Promise<PlannedUpdate> {
  const provider = new MockProvider({}, options.configuration ?? {});
  const sides = await Promise.all(
    [before, after].map((args) => pulumi.runtime.serializeProperties("planOf", { ...args })),
  );
  return provider.plannedUpdate(...(sides as [Arguments, Arguments]));
}
