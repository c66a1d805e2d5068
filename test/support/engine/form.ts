/**
 * The tests with the real engine declare resources in one of two forms: as the package's dynamic resources, or as the
 * plugin's resources, like a generated SDK. The suites are written once. jest.config.js says which suites run again in
 * the plugin's form.
 */
import path from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk/index";

export const isPlugin = process.env.FORM === "plugin";

/** The part of the project's file that names the plugin's path. */
export const PLUGINS = {
  plugins: {
    providers: [
      { name: "deployment-control", path: path.join(__dirname, "..", "..", "..", "node_modules", ".bin") },
    ],
  },
};

export const typeOf = (name: string): string =>
  isPlugin ? `deployment-control:index:${name}` : `pulumi-nodejs:dynamic/deployment-control:${name}`;

/** A test that runs only in the dynamic form; `why` says what the engine does in the plugin's form instead. */
export function dynamicOnly(why: string): typeof test {
  return isPlugin ? (((title: string) => test.skip(`${title} (${why})`, () => undefined)) as never) : test;
}

interface Generated {
  new (name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions): pulumi.CustomResource;
}
const { generatedClass } = require("./generatedClass") as { generatedClass: (name: string) => Generated };

/** A generated class that has the type of the package's class with the same name. */
export function generated<T>(name: string): T {
  return class extends generatedClass(name) {
    constructor(resourceName: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
      super(resourceName, asSent(name, args), options);
    }

    static get(
      resourceName: string,
      id: pulumi.Input<pulumi.ID>,
      options: pulumi.CustomResourceOptions = {},
    ) {
      const { connection, ...others } = options as { connection?: string };
      return new this(resourceName, { connection }, { ...others, id });
    }
  } as T;
}

/**
 * The arguments in the plugin's form: the plugin's Rollout takes a map with an id and a revision key for each
 * deployment. The keys of the map may be any names.
 */
function asSent(type: string, args: pulumi.Inputs): pulumi.Inputs {
  if (type !== "Rollout" || !Array.isArray(args.deployments)) return args;
  const members = (args.deployments as sdk.Deployment[]).map((each) => [
    (each as unknown as { __name: string }).__name,
    { id: each.id, revisionKey: each.revisionKey, connection: each.connection },
  ]);
  return { ...args, deployments: Object.fromEntries(members) };
}

const choose = <T>(dynamicClass: T, name: string): T => (isPlugin ? generated<T>(name) : dynamicClass);

export const Deployment = choose(sdk.Deployment, "Deployment");
export const Listener = choose(sdk.Listener, "Listener");
export const Rollout = choose(sdk.Rollout, "Rollout");
export const SmokeTest = choose(sdk.SmokeTest, "SmokeTest");
export const TokenMetadata = choose(sdk.TokenMetadata, "TokenMetadata");
export type Deployment = sdk.Deployment;
export type Listener = sdk.Listener;
