/** Makes the preview's warnings about arguments that the service would refuse or change. Sends no request. */
import type { Call } from "../call";
import { resourceOfType, typeIn } from "../schema/naming";
import type { Arguments } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { isAbsent, propertiesIn, UNKNOWN, valueAt } from "../schema/value";

/** `before`: the arguments before an update; undefined for a creation. */
export function serviceDoubts(call: Call, args: Arguments, before?: Arguments): string[] {
  const { plainName, reserved } = call.profile;
  const { name } = args;
  const namesBefore = variableNames(before ?? {});
  const names = variableNames(args).filter((each) => reserved?.test(each) && !namesBefore.includes(each));
  const doubts = [
    before === undefined &&
      name !== UNKNOWN &&
      plainName?.test(String(name)) === false &&
      `the service refuses or rewrites the name "${printable(name)}": use lower case letters, digits and hyphens`,
    names.length > 0 &&
      `leave out ${names.map(printable).join(", ")}: the service refuses a variable of that name, or sets it itself`,
    args.source === "external_docker" && listenerDoubt(call, propertiesIn(args.sourceConfig), before),
  ];
  return doubts.filter((words) => typeof words === "string");
}

const variableNames = ({ secrets, environment, secretReferences }: Arguments): string[] =>
  [secrets, environment, secretReferences].flatMap((map) => Object.keys(propertiesIn(map)));

function listenerDoubt({ profile, run, service, baseUrl }: Call, config: Arguments, before?: Arguments) {
  if (isAbsent(config.listenerId)) {
    // Once a listener exists, some services require each creation from this source to name a listener.
    if (before !== undefined || !("sourceConfig.listenerId" in profile.sources.only)) return undefined;
    const isRead = [...run.planned.values()].some(({ settings }) => settings?.serviceUrl === baseUrl);
    const keepers = [...service.fleet.keepers.here.values()];
    if (!isRead && !keepers.some((urn) => resourceOfType(typeIn(urn)) === "Listener")) return undefined;
    return "the service has a listener, and then requires sourceConfig.listenerId for this source: set it";
  }
  const namespace = valueAt(config.listenerConfig, ["k8sNamespace"]);
  if (isAbsent(namespace) || namespace === UNKNOWN) return undefined;
  const listener = [...run.planned.values()].find(({ id }) => id === config.listenerId)?.settings;
  const served = valueAt(listener, ["computeConfig", "k8sNamespaces"]);
  if (!Array.isArray(served) || served.includes(namespace) || served.includes(UNKNOWN)) return undefined;
  return `its listener does not serve the namespace "${printable(namespace)}", only ${served.map(printable).join(", ")}`;
}
