/** The verifications of a rollout's deployments, by their names in the program. */
import { verificationFaults } from "../asking/verification";
import type { Fault } from "../fields/check";
import { isAbsent, type Properties, propertiesIn } from "../fields/value";

/** The entries with a value: a deployment that is not verified may have an entry without one. */
export const withValues = (entries: Properties): Properties =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => !isAbsent(value)));

export function verifyFaults({ verify, deployments }: Properties): Fault[] {
  return Object.entries(propertiesIn(verify)).flatMap(([name, verification]) => [
    ...verificationFaults(verification).map(({ path, words }) => ({
      path: ["verify", name, ...path],
      words,
    })),
    ...(Object.hasOwn(propertiesIn(deployments), name)
      ? []
      : [{ path: ["verify", name], words: "names no deployment of the rollout" }]),
  ]);
}
