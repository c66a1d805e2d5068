/**
 * Mocks for the unit tests of a program: `pulumi.runtime.setMocks(mocks())`. They need no engine, service, network or
 * configuration.
 */
import type * as pulumi from "@pulumi/pulumi";
import { lookUpNamed } from "../../provider/fields/lookups";
import { type Given, refuseBadGiven } from "./given";
import { resourceOf } from "./resources";
import { Stand } from "./stand";

export type { Given, GivenDeployment, GivenListener } from "./given";

export interface MocksOptions extends Given {
  /**
   * Settings without their namespace, such as `{ profile: "langsmith" }`. What is not set here is taken from the
   * program's configuration (`pulumi.runtime.setAllConfig`), nothing from the environment; `baseUrl` needs no value.
   */
  configuration?: { readonly [setting: string]: string };
  /** Mocks of resources and functions that are not of this package; unless given, what they get is what they answer. */
  others?: pulumi.runtime.Mocks;
}

/**
 * Mocks under which resources have the outputs of a first `up`, or of its preview where `setMocks` says so, and look-ups
 * find what is given here.
 *
 * Arguments are checked as the plan would: bad ones reject the outputs of their resource, in the words of the plan. Ids
 * and times are the same in every run. Throws a TypeError for a given deployment, listener or repository that no service
 * could answer.
 */
export function mocks(options: MocksOptions = {}): pulumi.runtime.Mocks {
  const { configuration = {}, others, ...given } = options;
  refuseBadGiven(given);
  const stand = new Stand(given, configuration);
  return {
    async newResource(args) {
      const resource = resourceOf(args.type);
      if (resource !== undefined) return stand.newResource(resource, args);
      if (others !== undefined) return others.newResource(args);
      return { id: args.custom === false ? undefined : args.id || `${args.name}-id`, state: args.inputs };
    },
    async call(args) {
      const name = lookUpNamed(args.token);
      if (name !== undefined) return stand.lookUp(name, args.inputs);
      return others === undefined ? args.inputs : others.call(args);
    },
  };
}
