import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { faultsOf, inputsFrom } from "../../../provider/deployment/arguments";
import { planUpdate } from "../../../provider/deployment/plan";
import { createBody, isEmpty, patchBody } from "../../../provider/deployment/request";
import { changesBetween, profileFor, touchesRevision, verdictOf } from "../../../provider/diff/changes";
import { describeVerdict } from "../../../provider/diff/describe";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { hiddenBy } from "../../../provider/schema/check";
import { deploymentRows } from "../../../provider/schema/deployment";
import type { Rows } from "../../../provider/schema/kind";
import { stateOf } from "../../../provider/schema/recorded";
import { normalizedRows, type Properties } from "../../../provider/schema/value";
import { toWire } from "../../../provider/schema/wire";
import {
  allKeys,
  deploymentArguments,
  IN_SOURCE_CONFIG,
  reordered,
  updates,
} from "../../support/arbitraryArguments";

const profiles = Object.entries(PROFILES);
const contract = PROFILES.contract as Profile;
const hidden = hiddenBy(["secrets"]);
const inputsOf = (args: Properties, profile: Profile) => inputsFrom(undefined, args, profile);
const planOf = (a: Properties, b: Properties, profile: Profile) => {
  const olds = stateOf(inputsOf(a, profile), {});
  const news = inputsFrom(olds, b, profile);
  const plan = planUpdate(olds, news, profile);
  return { plan, body: patchBody(plan, profile), olds, news };
};
const changesOf = (a: Properties, b: Properties, profile: Profile) => planOf(a, b, profile).plan.changes;

/** The body of a request that sends all arguments. */
function sentBody(args: Properties, profile: Profile): Properties {
  const inputs = inputsOf(args, profile);
  const source = toWire(deploymentRows.revisionSource.kind, inputs.revisionSource, profile, "revisionSource");
  return { ...createBody(inputs, profile), revision_source: source };
}

const notSentRows: Rows = Object.fromEntries(
  Object.entries(deploymentRows).filter(([, field]) => field.wire === undefined),
);
const unsentArguments = (args: Properties): Properties =>
  Object.fromEntries(
    Object.entries(normalizedRows(deploymentRows, args)).filter(([name]) => Object.hasOwn(notSentRows, name)),
  );

/** The names of the plain variables, which a body does not distinguish from secrets. */
const plainNames = ({ environment }: Properties): string[] => Object.keys(environment ?? {}).sort();

describe.each(profiles)("under the profile %s", (_name, profile) => {
  test("a plan has no changes if and only if all arguments are equal, including those that are never sent", () => {
    fc.assert(
      fc.property(updates(allKeys), ([a, b]) => {
        const same =
          isDeepStrictEqual(sentBody(a, profile), sentBody(b, profile)) &&
          isDeepStrictEqual(unsentArguments(a), unsentArguments(b)) &&
          isDeepStrictEqual(plainNames(a), plainNames(b));
        expect(changesOf(a, b, profile).length === 0).toBe(same);
      }),
      { numRuns: 600 },
    );
  });

  test("an update sends nothing if it changes only arguments that are never sent, and none of them is a trigger", () => {
    fc.assert(
      fc.property(deploymentArguments(allKeys), deploymentArguments(allKeys), (a, b) => {
        const { revisionTriggers: _triggers, connection: _replaces, ...others } = unsentArguments(b);
        const keepsItsValue = (name: string) =>
          !Object.hasOwn(notSentRows, name) || ["connection", "revisionTriggers"].includes(name);
        const unchanged = Object.fromEntries(Object.entries(a).filter(([name]) => keepsItsValue(name)));
        const { body, plan } = planOf(a, { ...unchanged, ...others }, profile);
        expect(body).toEqual({});
        expect(["inPlace", "unchanged"]).toContain(plan.verdict);
      }),
    );
  });

  test("an update in place carries no revision field, no secret and no revision source", () => {
    // Under some profiles, most random changes to `sourceConfig` replace the deployment, so few updates are in place.
    // For more cases, the test also draws updates that change only in-place fields.
    const replaces = (name: string) =>
      Object.keys(profile.classes).some((place) => place.startsWith(`sourceConfig.${name}`));
    const inPlace = IN_SOURCE_CONFIG.filter(([, name]) => !replaces(name as string));
    const drawn = fc.oneof(updates(allKeys), updates(allKeys, inPlace));
    let inPlaceCount = 0;
    fc.assert(
      fc.property(drawn, ([a, b]) => {
        const { plan, body } = planOf(a, b, profile);
        if (plan.verdict !== "inPlace" || isEmpty(body)) return;
        inPlaceCount += 1;
        expect(Object.keys(body)).toEqual(["source_config"]);
      }),
      { numRuns: 900 },
    );
    expect(inPlaceCount).toBeGreaterThan(0);
  });

  test("an update that makes or may make a revision sends a body and increments the generation", () => {
    fc.assert(
      fc.property(updates(allKeys), ([a, b]) => {
        const { plan, body, news } = planOf(a, b, profile);
        if (plan.verdict === "replace") return;
        const revises = plan.verdict === "newRevision" || plan.verdict === "mayRevise";
        if (revises) expect(isEmpty(body)).toBe(false);
        expect(news.revisionGeneration).toBe(revises ? 2 : 1);
        expect(plan.changes.some(touchesRevision)).toBe(revises);
      }),
      { numRuns: 600 },
    );
  });

  test("a different order of keys, null members and a second normalization cause no change", () => {
    fc.assert(
      fc.property(deploymentArguments(allKeys), (args) => {
        expect(changesOf(args, reordered(args) as Properties, profile)).toEqual([]);
        const normal = normalizedRows(deploymentRows, args);
        expect(normalizedRows(deploymentRows, normal)).toEqual(normal);
        expect(changesOf(args, normal, profile)).toEqual([]);
      }),
    );
  });

  test("valid arguments have no faults", () => {
    fc.assert(
      fc.property(deploymentArguments(allKeys), (args) => {
        const nothing = normalizedRows(deploymentRows, args);
        const lax = { ...profile, bounds: {}, fields: {}, sources: contract.sources };
        expect(faultsOf(nothing, lax, hidden, "creation")).toEqual([]);
      }),
    );
  });

  test("the plan's lines have no line breaks, no secrets and no control characters", () => {
    const marked = (args: Properties): Properties => ({
      ...args,
      secrets: Object.fromEntries(
        Object.keys(args.secrets ?? {}).map((name) => [name, `s3cr3t-${args.name}-value`]),
      ),
    });
    fc.assert(
      fc.property(updates(allKeys), ([a, b]) => {
        const { plan } = planOf(marked(a), marked({ ...b, name: `${b.name}2` }), profile);
        for (const verdict of ["newRevision", "mayRevise", "inPlace", "replace", "unchanged"] as const) {
          const words = String(describeVerdict(verdict, plan.changes, hidden));
          expect(words).not.toContain("s3cr3t-");
          expect(words).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("a change gets the same verdict whether it was made in the program or on the service", () => {
  fc.assert(
    fc.property(updates(allKeys), ([a, b]) => {
      for (const profile of Object.values(PROFILES)) {
        const [from, to] = [normalizedRows(deploymentRows, a), normalizedRows(deploymentRows, b)];
        const changes = changesBetween(deploymentRows, from, to, profileFor(to as Properties, profile));
        expect(verdictOf(changes)).toBe(planOf(a, b, profile).plan.verdict);
      }
    }),
  );
});
