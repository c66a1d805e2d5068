/** The resources behind the mocks: the provider's own, which run against the mock service. */
import { typeToken } from "../../provider/fields/naming";
import type { Resource } from "../../provider/resource";
import { RESOURCES } from "../../provider/resources";

/** A smoke test that sends nothing and gets the expected reply. */
const mockSmokeTest = (smokeTest: Resource): Resource => ({
  ...smokeTest,
  async create(call, inputs) {
    const { equals, contains, matches } = inputs.expect as { [kind: string]: string };
    const reply = equals ?? contains ?? `(a reply that matches ${matches})`;
    const id = call.name;
    return { id, outputs: { ...inputs, reply, threadId: `${id}-thread`, runId: `${id}-run`, seconds: 0 } };
  },
});

const MOCKED = { ...RESOURCES, SmokeTest: mockSmokeTest(RESOURCES.SmokeTest) };

const BY_TOKEN = new Map(
  Object.entries(MOCKED).map(([type, resource]): [string, Resource] => [typeToken(type), resource]),
);

/** The resource of that type token; undefined for another package's. */
export const resourceOf = (token: string): Resource | undefined => BY_TOKEN.get(token);
