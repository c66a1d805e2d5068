/** Registering a resource records only the stack of its declaration. */
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener, Rollout, SmokeTest, TokenMetadata } from "../../../sdk/index";

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

/** Number of stacks that are recorded during the action, in the same turn. */
function stacksNoted(action: () => unknown): number {
  const { prepareStackTrace } = Error;
  let noted = 0;
  Error.prepareStackTrace = (error, frames) => {
    if (frames.length > 0) noted += 1;
    return `${error}\n${frames.map((frame) => `    at ${frame}`).join("\n")}`;
  };
  try {
    action();
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
  return noted;
}

describe.each(Object.entries(declarations))("%s", (resource, declare) => {
  test("records where it is declared, and no stack for each of its properties", () => {
    expect(stacksNoted(() => declare("one"))).toBeLessThanOrEqual(2);
    expect(stacksNoted(() => new Error("noted again").stack)).toBe(1);
  });

  test("has the program's line as the place of its declaration in the engine", () => {
    const places = placesNoted(() => declare("placed"));
    // For a resource that is only read, the SDK takes the package's own constructor call as the place.
    const at = resource === "Deployment.get" ? 2 : 0;
    expect(places[at]).toBe(pathToFileURL(__filename).href);
  });

  test("names the place of its declaration if it is refused", () => {
    const error = refusalOf(() => declare(""));
    expect(error.stack).toContain(__filename);
    expect(Error.stackTraceLimit).toBeGreaterThan(0);
  });

  test("records the stacks for a search for promises that never settle", () => {
    process.env.PULUMI_DEBUG_PROMISE_LEAKS = "1";
    try {
      expect(stacksNoted(() => declare("two"))).toBeGreaterThan(5);
    } finally {
      delete process.env.PULUMI_DEBUG_PROMISE_LEAKS;
    }
  });
});

test("an error from elsewhere keeps its own place", () => {
  const earlierError = new Error("made before");
  const { stack } = earlierError;
  const transformations = [
    () => {
      throw earlierError;
    },
  ];
  const error = refusalOf(() => new Deployment("three", chat, { transformations }));
  expect(error).toBe(earlierError);
  expect(error.stack).toBe(stack);
});

type Place = { readonly uri: string } | undefined;

/** The place that the SDK takes as the resource's declaration, then its callers, the innermost first. */
function placesNoted(action: () => unknown): readonly (string | undefined)[] {
  const resource = pulumi.Resource as unknown as { stackTrace(skip: number): readonly Place[] };
  const { stackTrace } = resource;
  let places: readonly Place[] = [];
  resource.stackTrace = (skip) => {
    // One frame more, for this function itself.
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

function refusalOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
}
