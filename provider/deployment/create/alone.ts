/** One creation of a name at a time, while the service shows none of that name. */
import type { Call } from "../../call";
import { RefusedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { idsOf, livingNamed } from "./adopt";
import { post } from "./post";

const TO_KEEP_IT =
  'If this program had it under another name or parent, say so with the option aliases: [{ name: "THE OLD NAME" }], and nothing is created.';

/** Creates while neither the service nor another resource of this run has the name. Throws a RefusedError. */
export async function createAlone(call: Call, inputs: Properties): Promise<Properties> {
  const name = String(inputs.name);
  const { fleet, directory } = call.service;
  await refuseTaken(call, name);
  const resource = await fleet.createAlone(name, () =>
    post(call, inputs, async (beforeSending) => {
      await beforeSending();
      if (directory.knowsNames) return;
      // While it waited, for its turn or for another try, somebody else may have created the name.
      await refuseTaken(call, name).catch((error: Error) => {
        // A failed look-up is no failed POST, which may have been applied.
        throw error instanceof RefusedError
          ? error
          : call.refuse(`nothing was created: ${error.message}`, error);
      });
      await beforeSending();
    }),
  );
  if (resource !== undefined) return resource;
  throw call.refuse(
    `another resource of this program is just creating a deployment named "${name}". Give each a name of its own`,
  );
}

async function refuseTaken(call: Call, name: string): Promise<void> {
  const living = await livingNamed(call, name);
  if (living.length === 0) return;
  throw call.refuse(
    `a deployment named "${name}" exists already on ${call.baseUrl} (id ${idsOf(living)}). ${TO_KEEP_IT} To manage it with this program for the first time, set adopt: "${living[0]?.id}"; else give another name`,
  );
}
