/** A write that replaces a resource spec whole carries what the program does not manage in it, which is read right before. */
import { isProperties, type Properties, propertiesIn, sameValue, valueAt } from "../../fields/value";
import { escapeControls } from "../../fields/words";
import type { Write } from "../state";
import { isDefault, liveArguments, placeOf, unmanaged, wireOf } from "../unmanagedSpec";
import { living } from "./doubt";

/**
 * The body with what the program does not manage in the spec, as the service has it now. A limit that the service made
 * from a request, and that the new request exceeds, is left to the service again.
 */
export async function withUnmanaged({ call, id, olds, news, body }: Write): Promise<Properties> {
  const { profile } = call;
  const [section, name] = placeOf(profile);
  const spec = valueAt(body, [section, name]);
  if (!profile.capabilities.resourceSpecOverwrites || !isProperties(spec)) return body;
  const resource = await living(call, id);
  const live = liveArguments(resource, profile);
  const rest = unmanaged(resource, [olds, news], profile);
  for (const [lower, upper] of profile.ranges) {
    const [request, limit] = [valueAt(news, lower.split(".")), valueAt(live, upper.split("."))];
    if (Number(request) > Number(limit) && isDefault(live, upper, profile))
      delete rest[wireOf(upper, profile)];
  }
  return { ...body, [section]: { ...(body[section] as Properties), [name]: { ...rest, ...spec } } };
}

/** Warning: the service answers other values than were sent along; undefined if it does not. */
export function changedMeanwhile({ call, olds, news }: Write, body: Properties, answer: Properties) {
  const place = placeOf(call.profile);
  const [sent, live] = [body, answer].map((each) => propertiesIn(valueAt(each, place))) as [
    Properties,
    Properties,
  ];
  if (Object.keys(live).length === 0) return undefined;
  const names = Object.keys(unmanaged(body, [olds, news], call.profile))
    .filter((name) => !sameValue(sent[name], live[name]))
    .map(escapeControls);
  return names.length === 0
    ? undefined
    : `the service has changed what the program does not manage in resourceSpec since it was read: ${names.join(", ")}. To settle a value, give it in the program`;
}
