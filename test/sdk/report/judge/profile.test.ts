import { judge } from "../../../../sdk/report/judge/judge";
import type { DeploymentReport } from "../../../../sdk/report/model";
import { previewIn } from "../../../../sdk/report/read/preview";
import { changed, deploymentIn, type Loose } from "../../../support/goldens";

/**
 * The deployment in a preview whose configuration names the profile `langsmith`, and whose resources record a profile
 * as `note` says.
 */
function judged(name: string, note: (inputs: Loose, outputs: Loose | undefined) => void): DeploymentReport {
  const text = changed("langsmith", (document: Loose) => {
    document.config = { "deployment-control:profile": "langsmith" };
    // Otherwise, the provider's lines under the former profile would count too.
    document.diagnostics = [];
    for (const { oldState, newState } of document.steps) {
      for (const state of [oldState, newState]) if (state?.inputs) note(state.inputs, state.outputs);
    }
  });
  return deploymentIn(judge(previewIn(text, "plan.json")), name);
}

const none = (inputs: Loose, outputs: Loose | undefined): void => {
  delete inputs.__profile;
  delete outputs?.__profile;
};
const contract = (inputs: Loose): void => {
  inputs.__profile = "contract";
};

test("a report judges by the profile that the provider recorded, not by an overridden configuration", () => {
  expect(judged("scaled", contract).verdict).toBe("in-place");
  expect(judged("scaled", none).verdict).toBe("new-revision");
});

test("for a deletion, the profile that the last up recorded counts, even if that up changed nothing else", () => {
  expect(judged("gone", contract).fate).toBe("retained");
  expect(judged("gone", none).fate).toBe("deleted");
});
