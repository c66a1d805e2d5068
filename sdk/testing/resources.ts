/** The resources as mocks make them: checked and created by the provider itself, against what stands for the service. */
import { deployment } from "../../provider/deployment/deployment";
import { typeToken } from "../../provider/fields/naming";
import type { Properties } from "../../provider/fields/value";
import { listener } from "../../provider/listener";
import type { Resource } from "../../provider/resource";
import { rollout } from "../../provider/rollout/rollout";
import { smokeTest } from "../../provider/smokeTest/smokeTest";
import { tokenMetadata } from "../../provider/tokenMetadata";

/** Nobody is asked: the reply is what is expected. */
const unasked: Resource = {
  ...smokeTest,
  async create(call, inputs) {
    const { equals, contains, matches } = inputs.expect as { [kind: string]: string };
    const reply = equals ?? contains ?? `(a reply that matches ${matches})`;
    const id = call.name;
    return { id, outputs: { ...inputs, reply, threadId: `${id}-thread`, runId: `${id}-run`, seconds: 0 } };
  },
};

const RESOURCES: { readonly [type: string]: Resource } = {
  Deployment: deployment,
  Listener: listener,
  Rollout: rollout,
  SmokeTest: unasked,
  TokenMetadata: tokenMetadata,
};

const BY_TOKEN = new Map(Object.entries(RESOURCES).map(([type, resource]) => [typeToken(type), resource]));

/** The resource of that type token; undefined where it is none of ours. */
export const resourceOf = (token: string): Resource | undefined => BY_TOKEN.get(token);

/** Whether the mocks are to have the listener that is declared: they install none by themselves. */
export const isListener = (resource: Resource, inputs: Properties): boolean =>
  resource === listener && typeof inputs.computeId === "string";
