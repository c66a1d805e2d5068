/** Finds the profile under which a plan was made, and the services that the plan goes to. */

import { PROFILE_IN_USE, SERVICE_IN_USE } from "../../../provider/engine/schema";
import { onSameService } from "../../../provider/profiles/profile";
import { type Profile, profileNamed } from "../../../provider/profiles/profiles";
import { isEnginesProvider, NAME, nameIn, settingName, typeIn } from "../../../provider/schema/naming";
import { isProperties, jsonIn, type Properties, UNKNOWN } from "../../../provider/schema/value";
import { UNKNOWN_VALUE } from "../model";
import { recordedOf } from "../read/hidden";
import type { Preview } from "../read/preview";
import { type PlannedResource, providerUrnOf } from "../read/resources";

/**
 * The profile by which the provider has planned the resource. If a provider was asked and the engine does not replace
 * the resource because of its connection, a new connection is only another name for the same service.
 */
export function profileOf(
  resource: PlannedResource,
  config: Preview["config"],
  profileOption: string | undefined,
): Profile {
  const profile = recordedProfileOf(resource, config, profileOption);
  const { leavesService, isReplacedAnyway, isUnplanned } = resource;
  return leavesService || isReplacedAnyway || isUnplanned ? profile : onSameService(profile);
}

/** The profile that the provider recorded, else the one in the option, else the one in the preview's configuration. */
function recordedProfileOf(
  resource: PlannedResource,
  config: Preview["config"],
  profileOption: string | undefined,
): Profile {
  // An up that changes nothing records new inputs but keeps the old outputs.
  const properties = resource.after?.inputs ?? { ...resource.before?.outputs, ...resource.before?.inputs };
  const recordedProfile = properties[PROFILE_IN_USE];
  if (recordedProfile !== undefined) {
    const { name, ...overrides } = isProperties(recordedProfile)
      ? recordedProfile
      : { name: recordedProfile };
    return profileWith(String(name), overrides);
  }
  if (profileOption !== undefined) return profileWith(profileOption);
  // A named connection and an explicit provider have settings that the stack's configuration does not show.
  if (properties.connection !== undefined || hasOwnProvider(resource)) return profileWith("contract");
  const overrides = overridesIn(config[settingName("profileOverrides")]);
  return profileWith(config[settingName("profile")] ?? "contract", overrides);
}

/** The base URL of the service that the resource is on, or goes to; null if the preview does not tell it. */
export function serviceOf({ before, after }: PlannedResource): string | null {
  // Without the name of the connection, the provider cannot know the service.
  if (after?.inputs?.connection === UNKNOWN) return UNKNOWN_VALUE;
  const url = after?.inputs?.[SERVICE_IN_USE] ?? recordedOf(before).serviceUrl;
  return typeof url === "string" ? url : null;
}

/** Whether the program itself declares the resource's provider, which is possible only with the plugin. */
export function hasOwnProvider(resource: PlannedResource): boolean {
  const urn = providerUrnOf(resource);
  return typeIn(urn) === `pulumi:providers:${NAME}` && !isEnginesProvider(nameIn(urn), undefined);
}

function profileWith(name: string, overrides?: Properties): Profile {
  // The provider has already checked the fields of the overrides.
  return profileNamed(name, overrides, []);
}

function overridesIn(text = ""): Properties | undefined {
  // If the overrides are not JSON, the preview itself has already failed.
  const overrides = jsonIn(text);
  return isProperties(overrides) ? overrides : undefined;
}
