/**
 * Warns of existing deployments whose names a program needs for new deployments. An up stops at the first few errors,
 * so one warning lists all name collisions found so far, and says how to adopt the deployments.
 */
import type { Call } from "../../call";
import { isBeingDeleted } from "../../fields/deployment";
import { nameIn } from "../../fields/naming";
import type { Properties } from "../../fields/value";
import { escapeControls } from "../../fields/words";
import { idsOf } from "./adopt";

/** Warns, once per run, of all listed deployments whose names the program needs for new deployments. */
export async function warnOfLeftOvers(call: Call): Promise<void> {
  const { run, service, baseUrl } = call;
  if (run.hasNamedLeftOvers) return;
  run.hasNamedLeftOvers = true;
  const living = livingByName(call);
  const lines: string[] = [];
  for (const { name, urn } of service.fleet.names.created()) {
    const deployments = living.get(name);
    // If the journal has an entry, an earlier run may have made the deployment, and the creation recovers it.
    const isOurs = (await run.creations.openEntry({ urn, serviceUrl: baseUrl })) !== undefined;
    if (deployments === undefined || isOurs) continue;
    for (const { id } of deployments) service.fleet.offered.add(id);
    lines.push(`  ${escapeControls(nameIn(urn))}: ${adoptOf(deployments)}`);
  }
  if (lines.length > 1) await run.reporter.warn("", warning(lines.sort(), call));
}

/** The listed deployments that no resource of the program manages, grouped by name. */
function livingByName({ service }: Call): ReadonlyMap<unknown, readonly Properties[]> {
  const { directory, fleet } = service;
  const living = new Map<unknown, Properties[]>();
  for (const deployment of directory.listed) {
    const { id, name, status } = deployment;
    if (isBeingDeleted(status) || fleet.keepers.of(id as string) !== undefined) continue;
    living.set(name, [...(living.get(name) ?? []), deployment]);
  }
  return living;
}

function adoptOf(deployments: readonly Properties[]): string {
  const ids = idsOf(deployments);
  return deployments.length === 1 ? `adopt: "${ids}"` : `adopt: one of ${ids}`;
}

function warning(lines: readonly string[], { baseUrl }: Call): string {
  return `${lines.length} deployments that this program is to create exist already on ${baseUrl} (as far as the engine has come). To manage one with this program, give it this argument:\n${lines.join("\n")}\nTo take over all that are as the program would have made them, and change nothing: pulumi config set deployment-control:adopt identical`;
}
