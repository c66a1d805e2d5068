/** The plan report of a stack that the Automation API drives. */
import { judge } from "../../../sdk/report/judge/judge";
import { previewIn } from "../../../sdk/report/read/preview";
import type { Program, TestStack } from "./stack";

/** The report on a preview, made from its events. If `sames` is false, it omits unchanged resources as the CLI does. */
export async function reported(
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
    // The events and the JSON of a preview have different names for this field.
    const details = Object.entries(detailedDiff ?? {}).map(([place, { diffKind: kind }]) => [
      place,
      { kind },
    ]);
    // The JSON of a preview has whole states.
    const { dependencies, propertyDependencies } = recorded.find((each) => each.urn === urn) ?? {};
    const oldState = old && { ...old, dependencies, propertyDependencies };
    const states = { oldState, newState: next };
    return [{ op, urn, ...states, replaceReasons, detailedDiff: Object.fromEntries(details) }];
  });
  const diagnostics = events.flatMap(({ diagnosticEvent: event }) =>
    event === undefined ? [] : [{ urn: event.urn, severity: event.severity, message: event.message }],
  );
  const preview = previewIn(JSON.stringify({ steps, diagnostics, config, changeSummary: {} }), "events");
  return judge(preview);
}
