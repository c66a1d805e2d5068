/**
 * Chooses the plain variables that a program declares: the variables that another tool declared, with the service's
 * present values.
 */
import { listedIn, shownIn } from "../../../provider/deployment/live";
import { CREDENTIAL } from "../../../provider/deployment/variables";
import type { Properties } from "../../../provider/fields/value";
import type { Profile } from "../../../provider/profiles/profiles";
import type { LeftOut } from "./leftOut";

export interface Environment {
  /** The variables as the service shows them: name to value. */
  readonly environment: Properties;
  /** Names of the variables whose values on the service differ from those of the other tool. */
  readonly overtaken: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * `variables`: the other tool's variables, name to value. Omits a variable that would be a change in the first plan.
 */
export function environmentOf(variables: Properties, wire: Properties, profile: Profile): Environment {
  const [listed, shownValues] = [listedIn(wire, profile), shownIn(wire, profile)];
  const entries = Object.entries(variables).map(([name, value]) => {
    const live = Object.hasOwn(shownValues, name) ? shownValues[name] : undefined;
    return { name, value, live, why: whyNot(live ?? value, live, Object.hasOwn(listed, name)) };
  });
  const declared = entries.filter(({ why }) => why === undefined);
  return {
    environment: Object.fromEntries(declared.map(({ name, live }) => [name, live])),
    overtaken: declared.filter(({ live, value }) => live !== value).map(({ name }) => name),
    leftOut: entries.flatMap(({ name, why }) =>
      why === undefined ? [] : [{ path: `environment.${name}`, why }],
    ),
  };
}

function whyNot(value: unknown, live: unknown, isListed: boolean): string | undefined {
  if (!isListed) return "the service has no variable of this name";
  if (CREDENTIAL.test(String(value).trim())) return "its value looks like a credential; give it in secrets";
  if (live !== undefined) return undefined;
  return `Terraform has ${JSON.stringify(value)}, and the service does not show its value; give it together with all secrets`;
}
