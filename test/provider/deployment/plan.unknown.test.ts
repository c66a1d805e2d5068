import * as fc from "fast-check";
import type { Call } from "../../../provider/call";
import { faultsOf, inputsFrom } from "../../../provider/deployment/arguments";
import { planUpdate } from "../../../provider/deployment/plan";
import { plannedUpdate } from "../../../provider/deployment/request";
import type { Verdict } from "../../../provider/diff/changes";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { stateOf } from "../../../provider/schema/recorded";
import { isProperties, type Properties, UNKNOWN } from "../../../provider/schema/value";
import { deploymentArguments, servedKeys } from "../../support/arbitraryArguments";

/** For each verdict of a plan with unknown values, the verdicts that the apply may reach. */
const MAY_COME: { readonly [planned in Verdict]: readonly Verdict[] } = {
  unchanged: ["unchanged"],
  inPlace: ["inPlace", "unchanged"],
  mayRevise: ["newRevision", "mayRevise", "inPlace", "unchanged"],
  newRevision: ["newRevision"],
  replace: ["replace"],
  mayReplace: ["replace", "newRevision", "mayRevise", "inPlace", "unchanged"],
};

/** Returns the value with randomly chosen parts made unknown. */
function blurred(value: unknown, coin: () => boolean): unknown {
  if (coin()) return UNKNOWN;
  if (Array.isArray(value)) return value.map((element) => blurred(element, coin));
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, blurred(member, coin)]));
}

/** Returns `args` with some values of `other`, chosen at random. */
function mixed(args: Properties, other: Properties, coin: () => boolean): Properties {
  const names = [...new Set([...Object.keys(args), ...Object.keys(other)])];
  const fixedNames = ["name", "source", "connection"];
  return Object.fromEntries(
    names.map((name) => [name, !fixedNames.includes(name) && coin() ? other[name] : args[name]]),
  );
}

const asEngine = (value: unknown): Properties => JSON.parse(JSON.stringify(value)) as Properties;

test.each(["contract", "langsmith"])(
  "under %s, the apply does only what the plan allows, whatever values are unknown in the plan",
  (name) => {
    const profile = PROFILES[name] as Profile;
    const coins = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 30, maxLength: 60 });
    const args = deploymentArguments(servedKeys);
    const holds = (from: Properties, to: Properties, drawn: number[]): void => {
      let at = 0;
      const coin = (chance: number) => () => (drawn[at++ % drawn.length] as number) < chance;
      const news = asEngine(mixed(from, to, coin(4)));
      const olds = stateOf(inputsFrom(undefined, asEngine(from), profile), {});
      const { name: deploymentName, source, ...others } = news;
      const blurredArgs = { ...(blurred({ whole: others }, coin(1)) as { whole: Properties | string }) }
        .whole;
      const open = isProperties(blurredArgs) ? blurredArgs : others;
      const preview = inputsFrom(olds, { name: deploymentName, source, ...open }, profile);
      // Skips changes that the apply refuses.
      fc.pre(faultsOf(news, profile, () => false, "update").length === 0);
      const apply = inputsFrom(olds, news, profile);
      const plan = planUpdate(olds, preview, profile);
      const done = planUpdate(olds, apply, profile).verdict;
      expect(MAY_COME[plan.verdict]).toContain(done);
      // A preview also makes the request bodies, although it sends none.
      expect(() => plannedUpdate({} as Call, "id", plan)).not.toThrow();
      // If the apply does not replace the deployment, the plan's verdict for that case must come true.
      if (plan.otherwise !== undefined && done !== "replace")
        expect(MAY_COME[plan.otherwise.verdict]).toContain(done);
      const counts = ["newRevision", "mayRevise", "replace"].includes(done as string);
      expect(apply.revisionGeneration).toBe(counts ? 2 : 1);
      if (preview.revisionGeneration !== UNKNOWN)
        expect(preview.revisionGeneration).toBe(apply.revisionGeneration);
    };
    fc.assert(fc.property(args, args, coins, holds), { numRuns: 200, seed: 7 });
  },
  60_000,
);
