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
  if (carried !== undefined) return carriedProfile(carried);
  if (given !== undefined) return profileNamed(given, undefined, NO_PATHS);
  // A named connection has settings of its own, which those of the default one do not tell.
  return noted.connection === undefined ? configured(config) : profileNamed("contract", undefined, NO_PATHS);
}

const NO_PATHS: ReadonlySet<string> = new Set();

function carriedProfile(carried: unknown): Profile {
  if (!isProperties(carried)) return profileNamed(String(carried), undefined, NO_PATHS);
  const { name, ...overrides } = carried;
  return overridden(String(name), overrides);
}

function overridden(name: string, overrides: Properties): Profile {
  const sections = [overrides.classes, overrides.wire];
  // The provider has checked the paths already.
  const paths = sections.flatMap((each) => (isProperties(each) ? Object.keys(each) : []));
  return profileNamed(name, overrides, new Set(paths));
}

function configured(config: Preview["config"]): Profile {
  const name = config[settingName("profile")] ?? "contract";
  const overrides = overridesIn(config[settingName("profileOverrides")]);
  return overrides === undefined ? profileNamed(name, undefined, NO_PATHS) : overridden(name, overrides);
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
