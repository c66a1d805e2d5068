import { PlannedUpdates } from "../../../provider/run/planned";

const planned = (update: { verdict?: "replace" | "mayReplace" | "mayRevise"; isReplaced: boolean }) =>
  new PlannedUpdates([["urn:one", { id: "d1", deletesFirst: false, ...update }]]);

test("a replacement is certain if the plan or the engine asks for it, and uncertain if it depends on an unknown value", () => {
  expect(planned({ verdict: "replace", isReplaced: true }).replaces("d1")).toBe(true);
  expect(planned({ isReplaced: true }).replaces("d1")).toBe(true);
  expect(planned({ verdict: "mayReplace", isReplaced: true }).replaces("d1")).toBe(false);
  expect(planned({ verdict: "mayRevise", isReplaced: false }).replaces("d1")).toBe(false);
  expect(planned({ verdict: "replace", isReplaced: true }).replaces("d2")).toBe(false);
});

test("a resource that is replaced, or that may be replaced, is the predecessor of the new resource", () => {
  expect(planned({ verdict: "mayReplace", isReplaced: true }).predecessorOf("urn:one")).toBe("d1");
  expect(planned({ verdict: "mayRevise", isReplaced: false }).predecessorOf("urn:one")).toBeUndefined();
  expect(planned({ verdict: "replace", isReplaced: true }).predecessorOf("urn:two")).toBeUndefined();
});
