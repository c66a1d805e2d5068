/** Under which profile a plan was made. */
import { NAME, settingName } from "../../../provider/fields/naming";
import { nameIn, typeIn } from "../../../provider/fields/urn";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { PROFILE_IN_USE } from "../../../provider/host/schema";
import { type Profile, profileNamed } from "../../../provider/profiles/profiles";
import type { Preview } from "../read/preview";
import type { PlannedResource } from "../read/resources";

/** As the provider itself has noted it; else the one that is given, or what the preview's configuration says. */
export function profileOf(
  resource: PlannedResource,
  config: Preview["config"],
  given: string | undefined,
): Profile {
  // An up that changes nothing records new inputs beside the old outputs.
  const noted = resource.after?.inputs ?? { ...resource.before?.outputs, ...resource.before?.inputs };
  const carried = noted[PROFILE_IN_USE];
  if (carried !== undefined) {
    const { name, ...overrides } = isProperties(carried) ? carried : { name: carried };
    return profileWith(String(name), overrides);
  }
  if (given !== undefined) return profileWith(given);
  // A named connection and a provider of the program's have settings of their own, which the stack's do not tell.
  if (noted.connection !== undefined || hasOwnProvider(resource)) return profileWith("contract");
  const overrides = overridesIn(config[settingName("profileOverrides")]);
  return profileWith(config[settingName("profile")] ?? "contract", overrides);
}

/** A provider that the program declares, as it can in the plugin's form. */
function hasOwnProvider({ after, before }: PlannedResource): boolean {
  const { provider } = after ?? before ?? {};
  if (provider === undefined || typeIn(provider) !== `pulumi:providers:${NAME}`) return false;
  return !/^default(_|::)/.test(nameIn(provider));
}

function profileWith(name: string, overrides?: Properties): Profile {
  // The provider has checked the paths already.
  const paths = [overrides?.classes, overrides?.wire].flatMap((each) =>
    isProperties(each) ? Object.keys(each) : [],
  );
  return profileNamed(name, overrides, new Set(paths));
}

function overridesIn(text: string | undefined): Properties | undefined {
  try {
    const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
    return isProperties(parsed) ? parsed : undefined;
  } catch {
    // Then the preview itself has failed on it.
    return undefined;
  }
}
