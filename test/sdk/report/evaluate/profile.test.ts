import { evaluate } from "../../../../sdk/report/evaluate/evaluate";
import type { DeploymentReport } from "../../../../sdk/report/model";
import { previewIn } from "../../../../sdk/report/read/preview";
import { changed, deploymentIn, type Loose } from "../../../support/goldens";

/**
 * The report on a deployment. The preview's configuration names the profile `langsmith`; `note` sets the profile that
 * each state records.
 */
function reportOn(name: string, note: (inputs: Loose, outputs: Loose | undefined) => void): DeploymentReport {
  const text = changed("langsmith", (document: Loose) => {
    document.config = { "deployment-control:profile": "langsmith" };
    // Without this line, the provider's verdicts under the former profile would also count.
    document.diagnostics = [];
    for (const { oldState, newState } of document.steps) {
      for (const state of [oldState, newState]) if (state?.inputs) note(state.inputs, state.outputs);
    }
  });
  return deploymentIn(evaluate(previewIn(text, "plan.json")), name);
}

const none = (inputs: Loose, outputs: Loose | undefined): void => {
  delete inputs.__profile;
  delete outputs?.__profile;
};
const contract = (inputs: Loose): void => {
  inputs.__profile = "contract";
};

test("a report judges by the profile that the provider recorded, not by an overridden configuration", () => {
  expect(reportOn("scaled", contract).verdict).toBe("in-place");
  expect(reportOn("scaled", none).verdict).toBe("new-revision");
});

test("a deletion is evaluated by the profile that the last up recorded, even if that up changed nothing else", () => {
  expect(reportOn("gone", contract).fate).toBe("retained");
  expect(reportOn("gone", none).fate).toBe("deleted");
});
