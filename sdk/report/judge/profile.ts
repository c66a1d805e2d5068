/** Under which profile a plan was made. */
import { settingName } from "../../../provider/fields/naming";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { PROFILE_IN_USE } from "../../../provider/host/carried";
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
  // A named connection has settings of its own, which those of the default one do not tell.
  if (noted.connection !== undefined) return profileWith("contract");
  const overrides = overridesIn(config[settingName("profileOverrides")]);
  return profileWith(config[settingName("profile")] ?? "contract", overrides);
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
