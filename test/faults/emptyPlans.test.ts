import * as fc from "fast-check";
import { StatusError } from "../../provider/client";
import { type Properties, propertiesIn } from "../../provider/schema/value";
import type { ProfileName } from "../../sdk/emulator";
import { deploymentArguments, servedKeys } from "../support/arbitraryArguments";
import { started } from "../support/embeddedService";
import { sized, tellFigures } from "../support/faults/size";
import { sessionOn } from "../support/providerRun";
import { deployment } from "../support/resourceCalls";

const PER_SERVICE = 25;

/** Random arguments of deployments with unique names. The contract's `check` accepts these arguments. */
function programs(count: number, seed: number): Properties[] {
  return fc.sample(deploymentArguments(servedKeys), { numRuns: count, seed }).map((args, index) => {
    const { adopt: _byName, newRevisions: _forbidden, connection: _other, ...others } = args;
    return { ...unverified(others), name: `generated-${index}`, onDestroy: "retain" };
  });
}

/** The arguments without `rollout.verify`: these deployments do not run, so they cannot reply to a verification. */
function unverified({ rollout, ...args }: Properties): Properties {
  const { verify: _question, ...waiting } = propertiesIn(rollout);
  return { ...args, ...(rollout === undefined ? {} : { rollout: waiting }) };
}

const asEngine = (properties: Properties): Properties => JSON.parse(JSON.stringify(properties)) as Properties;

type Provided = Awaited<ReturnType<typeof sessionOn>>;

/** 1 if a plan for the same program still shows changes, otherwise 0. */
async function planned(
  { session }: Provided,
  id: string,
  olds: Properties,
  outs: Properties,
  args: Properties,
) {
  const { inputs } = await deployment.check(session, olds, asEngine(args));
  const { changes } = await deployment.diff(session, id, outs, asEngine(inputs), true);
  return changes ? 1 : 0;
}

/** The service may refuse arguments that `check` accepts: only the service knows which fields go with a source. */
const isRefusal = (error: unknown): boolean => error instanceof StatusError && error.status === 422;

/**
 * Returns the number of plans that show changes after the creation, after a refresh and after the next update;
 * undefined if `check` or the service refuses the arguments.
 */
async function again(open: () => Provided, args: Properties): Promise<number | undefined> {
  const first = open();
  const checked = await deployment.check(first.session, undefined, asEngine(args));
  if (checked.failures.length > 0) return undefined;
  const inputs = asEngine(checked.inputs);
  const created = await deployment.create(first.session, inputs).catch((error) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (created === undefined) return undefined;
  const { id, outputs } = created;
  const outs = asEngine(outputs);
  const afterUp = await planned(open(), id, inputs, outs, args);
  const read = await deployment.read(open().session, id, outs);
  const [liveInputs, refreshedOutputs] = [asEngine(read.inputs ?? inputs), asEngine(read.outputs ?? {})];
  const afterRefresh = await planned(open(), id, liveInputs, refreshedOutputs, args);
  const { inputs: news } = await deployment.check(open().session, liveInputs, asEngine(args));
  const updated = asEngine(await deployment.update(open().session, id, refreshedOutputs, asEngine(news)));
  return afterUp + afterRefresh + (await planned(open(), id, asEngine(news), updated, args));
}

test.each<ProfileName>(["contract", "langsmith"])(
  "%s: the plan of an unchanged program is empty after the creation, after a refresh, and after the next update",
  async (profile) => {
    const caseCount = sized(25, 500);
    let [done, changes, skipped] = [0, 0, 0];
    const bad: unknown[] = [];
    for (let seed = 1; done < caseCount; seed += 1) {
      const secretsInResponses = (["masked", "echoed", "hidden"] as const)[seed % 3] ?? "masked";
      const patch = seed % 2 === 0 ? ("merge" as const) : ("replace" as const);
      const emulator = await started({ profile, secretsInResponses, patch, pageCap: 100 });
      for (const args of programs(PER_SERVICE, seed)) {
        if (done >= caseCount) break;
        const changed = await again(() => sessionOn(emulator, { profile }), args);
        if (changed === undefined) skipped += 1;
        else {
          done += 1;
          changes += changed;
          if (changed > 0) bad.push({ seed, secretsInResponses, patch, args });
        }
      }
      await emulator.close();
    }
    tellFigures(
      `empty plans, profile ${profile}: ${done} programs in process: ${changes} changes (${skipped} refused)`,
    );
    expect(bad).toEqual([]);
  },
  600_000,
);
