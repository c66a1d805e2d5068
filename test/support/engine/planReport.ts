/** Makes plan reports from previews that the Automation API runs. */
import { evaluate } from "../../../sdk/report/evaluate/evaluate";
import { previewIn } from "../../../sdk/report/read/preview";
import type { Program, TestStack } from "./stack";

/** The report on a preview, made from its events. */
export const reported = async (...args: Parameters<typeof previewed>) => evaluate(await previewed(...args));

/**
 * A preview, made from its events. If `sames` is false, the preview omits unchanged resources, as the CLI
 * does by default.
 */
export async function previewed(
  stack: TestStack,
  program: Program,
  config: { readonly [key: string]: string } = {},
  { sames = true, ...options }: Parameters<TestStack["preview"]>[1] & { sames?: boolean } = {},
) {
  const { events } = await stack.preview(program, options);
  const recorded = stack.resources();
  const steps = events.flatMap(({ resourcePreEvent }) => {
    if (resourcePreEvent === undefined) return [];
    if (!sames && resourcePreEvent.metadata.op === "same") return [];
    const { op, urn, old, new: next, keys: replaceReasons, detailedDiff } = resourcePreEvent.metadata;
    // The events call the field `diffKind`, and the JSON of a preview calls it `kind`.
    const details = Object.entries(detailedDiff ?? {}).map(([place, { diffKind: kind }]) => [
      place,
      { kind },
    ]);
    // The events lack the dependencies, which the JSON of a preview has.
    const { dependencies, propertyDependencies } = recorded.find((each) => each.urn === urn) ?? {};
    const oldState = old && { ...old, dependencies, propertyDependencies };
    const states = { oldState, newState: next };
    return [{ op, urn, ...states, replaceReasons, detailedDiff: Object.fromEntries(details) }];
  });
  const diagnostics = events.flatMap(({ diagnosticEvent: event }) =>
    event === undefined ? [] : [{ urn: event.urn, severity: event.severity, message: event.message }],
  );
  return previewIn(JSON.stringify({ steps, diagnostics, config, changeSummary: {} }), "events");
}
