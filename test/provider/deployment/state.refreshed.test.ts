import * as fc from "fast-check";
import type { Call } from "../../../provider/call";
import { inputsFrom } from "../../../provider/deployment/arguments";
import { liveIn } from "../../../provider/deployment/live";
import { createBody } from "../../../provider/deployment/request";
import { outputsOf, refreshedState } from "../../../provider/deployment/state";
import type { Properties } from "../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { allKeys, deploymentArguments, reordered } from "../../support/arbitraryArguments";

const callUnder = (profile: Profile) =>
  ({ baseUrl: "https://control.example.test", profile, hidden: () => false }) as unknown as Call;

/** The service's answer to the body: the same fields, its own fields, and masked secrets. */
function resourceOf(body: Properties, extra: Properties): Properties {
  const grown = withExtra(body, extra) as Properties;
  const secrets = (body.secrets as { name: string }[]).map(({ name }) => ({ name, value: "***" }));
  return { ...(reordered(grown) as Properties), secrets, id: "1", latest_revision_id: "r1" };
}

/** Adds further members to every object of the value, even in lists. */
function withExtra(value: unknown, extra: Properties): unknown {
  if (Array.isArray(value)) return value.map((element) => withExtra(element, extra));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withExtra(member, extra)]);
  return Object.fromEntries([...Object.entries(extra), ...members]);
}

const deployed = { status: "DEPLOYED", state: "deployed" } as const;
const extras = fc
  .dictionary(allKeys, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxKeys: 2 })
  .map((extra) => Object.fromEntries(Object.entries(extra).map(([key, value]) => [`extra ${key}`, value])));

describe.each(Object.entries(PROFILES))("under the profile %s", (_name, profile) => {
  test.each(["the same revision", "another revision"])(
    "values that the service adds are not drift: %s",
    (revision) => {
      fc.assert(
        fc.property(deploymentArguments(allKeys), extras, (args, extra) => {
          const news = inputsFrom(undefined, args, profile);
          const body = createBody(news, profile);
          const resource = resourceOf(body, extra);
          const post = { call: callUnder(profile), id: "1", olds: {}, news, body, revisionId: "r1" };
          const state = outputsOf(post, resource, deployed);
          expect(state).not.toHaveProperty("respelled");
          const later =
            revision === "another revision" ? { ...resource, latest_revision_id: "r2" } : resource;
          expect(refreshedState(state, liveIn(later, profile))).toEqual({
            ...state,
            describedRevision: later.latest_revision_id,
          });
        }),
        { numRuns: 150 },
      );
    },
  );
});
