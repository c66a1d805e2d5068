/** Finds the services on which a plan acts, and their profiles. */

import { onSameService } from "../../../provider/profiles/profile";
import { type Profile, type ProfileInUse, profileNamed } from "../../../provider/profiles/profiles";
import { isEnginesProvider, NAME, nameIn, settingName, typeIn } from "../../../provider/schema/naming";
import { jsonIn, propertiesIn, UNKNOWN } from "../../../provider/schema/value";
import { UNKNOWN_VALUE } from "../model";
import { recordedOf } from "../read/hidden";
import { newPlanOf } from "../read/plan";
import type { Preview } from "../read/preview";
import { type PlannedResource, providerUrnOf } from "../read/resources";

export type EndingProfiles = (resource: PlannedResource) => readonly [Profile, ...Profile[]];

/**
 * Finds the profiles that may determine whether the service deletes a resource. If this preview has a plan for the same
 * provider, service and connection, only that plan's profile counts.
 */
export function endingProfilesIn(
  resources: readonly PlannedResource[],
  config: Preview["config"],
  profileOption: string | undefined,
): EndingProfiles {
  const plannedProfiles = new Map<string, Profile>();
  for (const resource of resources) {
    const plan = newPlanOf(resource.fate, resource.plans);
    if (plan !== undefined)
      plannedProfiles.set(placeOf(resource, plan.service, resource.after), profileFrom(plan.profile));
  }
  // `profileOption` is the environment's profile, which takes precedence over the configuration.
  const currentProfile = profileOption ?? (settingName("profile") in config ? configured(config) : undefined);
  return (resource) => {
    const { before, plans } = resource;
    const service = plans.before?.service ?? recordedOf(before).serviceUrl;
    const planned = plannedProfiles.get(placeOf(resource, service, before));
    if (planned !== undefined) return [planned];
    // A named connection has separate settings. A provider that the program declares also has separate settings.
    const isDefault = before?.inputs?.connection === undefined && !hasOwnProvider(resource);
    const candidates = [plans.before?.profile, isDefault ? currentProfile : undefined];
    const [first = configured(config), ...others] = candidates.filter((each) => each !== undefined);
    return [profileFrom(first), ...others.map(profileFrom)];
  };
}

/** The provider, service and connection of the resource with this state, in one string. */
function placeOf(resource: PlannedResource, service: unknown, state: PlannedResource["before"]): string {
  const provider = providerUrnOf({ ...resource, before: state, after: state });
  return JSON.stringify([provider, service, state?.inputs?.connection]);
}

function profileFrom(profile: ProfileInUse): Profile {
  const { name, ...overrides } = typeof profile === "object" ? profile : { name: profile };
  // The provider has already checked the fields of the overrides.
  return onSameService(profileNamed(name, overrides, []));
}

function configured(config: Preview["config"]): ProfileInUse {
  const overrides = jsonIn(config[settingName("profileOverrides")] ?? "");
  return { ...propertiesIn(overrides), name: config[settingName("profile")] ?? "contract" };
}

/** The base URL of the service that has, or will have, the resource; null if the preview does not show the URL. */
export function serviceOf({ before, after, plans }: PlannedResource): string | null {
  // While the connection's name is unknown, the provider cannot know the service.
  if (after?.inputs?.connection === UNKNOWN) return UNKNOWN_VALUE;
  const url = plans.after?.service ?? recordedOf(before).serviceUrl;
  return typeof url === "string" ? url : null;
}

/** Whether the program itself declares the resource's provider. Only the plugin allows this. */
export function hasOwnProvider(resource: PlannedResource): boolean {
  const urn = providerUrnOf(resource);
  return typeIn(urn) === `pulumi:providers:${NAME}` && !isEnginesProvider(nameIn(urn), undefined);
}
