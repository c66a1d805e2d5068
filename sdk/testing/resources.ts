/** The resources as mocks make them: checked and created by the provider itself, against what stands for the service. */
import { typeToken } from "../../provider/fields/naming";
import type { Resource } from "../../provider/resource";
import { RESOURCES } from "../../provider/resources";

/** A smoke test asks nobody: the reply is what is expected. */
const unasked = (smokeTest: Resource): Resource => ({
  ...smokeTest,
  async create(call, inputs) {
    const { equals, contains, matches } = inputs.expect as { [kind: string]: string };
    const reply = equals ?? contains ?? `(a reply that matches ${matches})`;
    const id = call.name;
    return { id, outputs: { ...inputs, reply, threadId: `${id}-thread`, runId: `${id}-run`, seconds: 0 } };
  },
});

const MOCKED: { readonly [type: string]: () => Resource } = {
  ...RESOURCES,
  SmokeTest: () => unasked(RESOURCES.SmokeTest()),
};

const BY_TOKEN = new Map(Object.entries(MOCKED).map(([type, load]) => [typeToken(type), load()]));

/** The resource of that type token; undefined where it is none of ours. */
export const resourceOf = (token: string): Resource | undefined => BY_TOKEN.get(token);
