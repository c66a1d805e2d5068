/** Finds the services that a plan goes to, and their profiles. */

import { onSameService } from "../../../provider/profiles/profile";
import { type Profile, type ProfileInUse, profileNamed } from "../../../provider/profiles/profiles";
import { isEnginesProvider, NAME, nameIn, settingName, typeIn } from "../../../provider/schema/naming";
import { jsonIn, propertiesIn, UNKNOWN } from "../../../provider/schema/value";
import { UNKNOWN_VALUE } from "../model";
import { recordedOf } from "../read/hidden";
import { newPlanOf } from "../read/plan";
import type { Preview } from "../read/preview";
import { type PlannedResource, providerUrnOf } from "../read/resources";

/**
 * The profiles by which the service may end the resource: that of this preview's plans for the same provider, service and
 * connection; without such a plan, that of the resource's last plan, and the one that is set now.
 */
export function endingProfilesOf(
  resource: PlannedResource,
  resources: readonly PlannedResource[],
  config: Preview["config"],
  profileOption: string | undefined,
): readonly [Profile, ...Profile[]] {
  const placeOf = (service: unknown, state: PlannedResource["before"]) =>
    JSON.stringify([
      service,
      state?.inputs?.connection,
      providerUrnOf({ ...resource, before: state, after: state }),
    ]);
  const { before, plans } = resource;
  const place = placeOf(plans.before?.service ?? recordedOf(before).serviceUrl, before);
  const planned = resources.flatMap((each) => {
    const plan = newPlanOf(each.fate, each.plans);
    return plan !== undefined && placeOf(plan.service, each.after) === place ? [plan.profile] : [];
  });
  const isConfigured = settingName("profile") in config && !hasOwnProvider(resource);
  // The option is the environment's profile, which overrides the configuration.
  const set = profileOption ?? (isConfigured ? configured(config) : undefined);
  const possible = planned.length > 0 ? planned : [plans.before?.profile, set];
  const [first = configured(config), ...others] = possible.filter((each) => each !== undefined);
  return [profileFrom(first), ...others.map(profileFrom)];
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

/** The base URL of the service that the resource is on, or goes to; null if the preview does not tell it. */
export function serviceOf({ before, after, plans }: PlannedResource): string | null {
  // Without the name of the connection, the provider cannot know the service.
  if (after?.inputs?.connection === UNKNOWN) return UNKNOWN_VALUE;
  const url = plans.after?.service ?? recordedOf(before).serviceUrl;
  return typeof url === "string" ? url : null;
}

/** Whether the program itself declares the resource's provider, which is possible only with the plugin. */
export function hasOwnProvider(resource: PlannedResource): boolean {
  const urn = providerUrnOf(resource);
  return typeIn(urn) === `pulumi:providers:${NAME}` && !isEnginesProvider(nameIn(urn), undefined);
}
