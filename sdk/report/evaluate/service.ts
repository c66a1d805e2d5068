/** Finds the services that a plan goes to, and their profiles. */

import { onSameService } from "../../../provider/profiles/profile";
import { type Profile, profileNamed } from "../../../provider/profiles/profiles";
import { isEnginesProvider, NAME, nameIn, settingName, typeIn } from "../../../provider/schema/naming";
import { isProperties, jsonIn, UNKNOWN } from "../../../provider/schema/value";
import { UNKNOWN_VALUE } from "../model";
import { recordedOf } from "../read/hidden";
import { planIn } from "../read/plan";
import type { Preview } from "../read/preview";
import { type PlannedResource, providerUrnOf } from "../read/resources";

/** The profile of the resource's recorded plan, else the one in the option, else the one in the configuration. */
export function profileOf(
  { before, after }: PlannedResource,
  config: Preview["config"],
  profileOption: string | undefined,
): Profile {
  const recorded = (planIn(after) ?? planIn(before))?.profile;
  if (recorded === undefined && profileOption === undefined) {
    const overrides = jsonIn(config[settingName("profileOverrides")] ?? "");
    return onSameService(
      profileNamed(
        config[settingName("profile")] ?? "contract",
        isProperties(overrides) ? overrides : undefined,
        [],
      ),
    );
  }
  const { name, ...overrides } =
    typeof recorded === "object" ? recorded : { name: recorded ?? (profileOption as string) };
  // The provider has already checked the fields of the overrides.
  return onSameService(profileNamed(name, overrides, []));
}

/** The base URL of the service that the resource is on, or goes to; null if the preview does not tell it. */
export function serviceOf({ before, after }: PlannedResource): string | null {
  // Without the name of the connection, the provider cannot know the service.
  if (after?.inputs?.connection === UNKNOWN) return UNKNOWN_VALUE;
  const url = planIn(after)?.service ?? recordedOf(before).serviceUrl;
  return typeof url === "string" ? url : null;
}

/** Whether the program itself declares the resource's provider, which is possible only with the plugin. */
export function hasOwnProvider(resource: PlannedResource): boolean {
  const urn = providerUrnOf(resource);
  return typeIn(urn) === `pulumi:providers:${NAME}` && !isEnginesProvider(nameIn(urn), undefined);
}
