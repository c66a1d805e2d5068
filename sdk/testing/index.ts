/** Mocks for the unit tests of a program: `pulumi.runtime.setMocks(mocks())`. The mocks need no engine or network. */
import type * as pulumi from "@pulumi/pulumi";
import { lookUpNamed } from "../../provider/schema/lookups";
import type { Emulator } from "../emulator/index";
import { MockProvider, resourceOf } from "./provider";

export { ExpectedPlan, expectPlan } from "./expectPlan";
export { refusalOf, valueOf } from "./values";

export interface MocksOptions {
  /**
   * The embedded service (from `startEmulator`) that every connection reaches. Fill it with everything that look-ups,
   * `get` and adoption must find, and close it after the test. Defaults to a new service, which also has each
   * listener and token that the program declares.
   */
  service?: Emulator;
  /**
   * Mocks for resources and functions of other packages. By default, mocks for other packages return their arguments.
   */
  others?: pulumi.runtime.Mocks;
}

/**
 * Mocks that give resources the outputs of a first `pulumi up`, or of its preview if `setMocks` asks for a preview. The
 * provider itself runs against the embedded service, so it checks arguments and look-ups as a plan does. If an argument
 * is bad, the outputs of the resource reject with the plan's message.
 *
 * Settings come from the program's configuration (`pulumi.runtime.setAllConfig`), never from the environment. Base
 * URLs have no effect. A service keeps the resources that programs create, so make new mocks for each test.
 */
export function mocks({ service, others = repeating }: MocksOptions = {}): pulumi.runtime.Mocks {
  const provider = new MockProvider(service);
  return {
    async newResource(args) {
      const resource = resourceOf(args.type);
      return resource === undefined ? others.newResource(args) : provider.newResource(resource, args);
    },
    async call(args) {
      const name = lookUpNamed(args.token);
      return name === undefined ? others.call(args) : provider.lookUp(name, args.inputs);
    },
  };
}

const repeating: pulumi.runtime.Mocks = {
  newResource: ({ id, name, custom, inputs }) => ({
    id: custom === false ? undefined : id || `${name}-id`,
    state: inputs,
  }),
  call: ({ inputs }) => inputs,
};
