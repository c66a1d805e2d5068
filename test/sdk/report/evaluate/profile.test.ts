import { deploymentIn, type Loose, reportAfter } from "../../../support/goldens";

/** The fate of a removed deployment, whose recorded plan a test edits; the configuration names this profile. */
function fateWith(profile: string, edit: (inputs: Loose) => void, option?: string) {
  const change = (document: Loose) => {
    document.config = { "deployment-control:profile": profile };
    for (const { oldState } of document.steps) if (oldState?.inputs) edit(oldState.inputs);
  };
  return deploymentIn(reportAfter("langsmith", change, option), "gone").fate;
}

test("a removal is evaluated by the profile of the recorded plan, else by the option, else by the configuration", () => {
  expect(fateWith("langsmith", ({ __plan = {} }) => Object.assign(__plan, { profile: "contract" }))).toBe(
    "retained",
  );
  const without = (inputs: Loose) => delete inputs.__plan;
  expect(fateWith("langsmith", without)).toBe("deleted");
  expect(fateWith("langsmith", without, "contract")).toBe("retained");
});
