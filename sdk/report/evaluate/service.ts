/** Finds the services that a plan goes to, and their profiles. */

import { onSameService } from "../../../provider/profiles/profile";
import { type Profile, type ProfileInUse, profileNamed } from "../../../provider/profiles/profiles";
import { isEnginesProvider, NAME, nameIn, settingName, typeIn } from "../../../provider/schema/naming";
import { jsonIn, propertiesIn, UNKNOWN } from "../../../provider/schema/value";
import { UNKNOWN_VALUE } from "../model";
import { recordedOf } from "../read/hidden";
import type { Preview } from "../read/preview";
import { type PlannedResource, providerUrnOf } from "../read/resources";

/** The profile of the resource's recorded plan, else the one in the option, else the one in the configuration. */
export function profileOf(
  { plans: { before, after } }: PlannedResource,
  config: Preview["config"],
  profileOption: string | undefined,
): Profile {
  const profile = (after ?? before)?.profile ?? profileOption ?? configured(config);
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
