/** The registration of a resource records only the call stack of the resource's declaration. */
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener, Rollout, SmokeTest, TokenMetadata } from "../../../sdk/index";
import { thrown } from "../../support/thrown";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const chat = {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "a/b:1" },
} as const;

const declarations: { readonly [resource: string]: (name: string) => pulumi.Resource } = {
  Deployment: (name) => new Deployment(name, chat),
  "Deployment.get": (name) => Deployment.get(name, ID),
  Listener: (name) =>
    new Listener(name, { name: "us", computeType: "k8s", computeId: "1", computeConfig: {} } as never),
  Rollout: (name) => new Rollout(name, { deployments: [declared] }),
  SmokeTest: (name) => new SmokeTest(name, { url: "http://127.0.0.1:1" } as never),
  TokenMetadata: (name) => new TokenMetadata(name, { tokenId: ID } as never),
};

let declared: Deployment;

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ id, name, inputs }) => ({ id: id ?? `${name}-id`, state: inputs }),
    call: ({ inputs }) => inputs,
  });
  declared = new Deployment("declared", chat);
});

/** The number of call stacks that errors record while the action runs, in the same turn of the event loop. */
function countStacks(action: () => unknown): number {
  const { prepareStackTrace } = Error;
  let count = 0;
  Error.prepareStackTrace = (error, frames) => {
    if (frames.length > 0) count += 1;
    return `${error}\n${frames.map((frame) => `    at ${frame}`).join("\n")}`;
  };
  try {
    action();
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
  return count;
}

describe.each(Object.entries(declarations))("%s", (resource, declare) => {
  test("a declaration records its place, and does not record a call stack for each property", () => {
    expect(countStacks(() => declare("one"))).toBeLessThanOrEqual(2);
    expect(countStacks(() => new Error("recorded again").stack)).toBe(1);
  });

  test("the engine gets the program's line as the place of the resource's declaration", () => {
    const places = recordedPlaces(() => declare("placed"));
    // For a resource that is only read, the SDK records the constructor call in this package as the place of the
    // declaration.
    const at = resource === "Deployment.get" ? 2 : 0;
    expect(places[at]).toBe(pathToFileURL(__filename).href);
  });

  test("the error for a refused resource names the place of its declaration", () => {
    const error = thrown(() => declare(""));
    expect(error.stack).toContain(__filename);
    expect(Error.stackTraceLimit).toBeGreaterThan(0);
  });
});

type Place = { readonly uri: string } | undefined;

/**
 * The source line that the SDK records as the resource's declaration, followed by the calls that led there.
 */
function recordedPlaces(action: () => unknown): readonly (string | undefined)[] {
  const resource = pulumi.Resource as unknown as { stackTrace(skip: number): readonly Place[] };
  const { stackTrace } = resource;
  let places: readonly Place[] = [];
  resource.stackTrace = (skip) => {
    // Skips one more frame, the frame of this function.
    places = stackTrace.call(resource, skip + 1);
    return places;
  };
  try {
    action();
  } finally {
    resource.stackTrace = stackTrace;
  }
  return places.map((place) => place?.uri);
}
