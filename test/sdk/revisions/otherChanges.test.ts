import { evaluate } from "../../../sdk/report/evaluate/evaluate";
import { previewIn } from "../../../sdk/report/read/preview";
import { resourcesOf } from "../../../sdk/report/read/resources";
import { otherChangesIn } from "../../../sdk/revisions/otherChanges";
import { changed, type Loose, plannedIn, stepOf } from "../../support/goldens";

/**
 * The changes beside a rollback of the deployment `revised` in the recorded plan `mixed`, edited by `change`, sorted: the
 * engine plans resources in no fixed order.
 */
function othersAfter(change: (document: Loose) => unknown = () => undefined): string[] {
  const preview = previewIn(changed("mixed", change), "mixed.json");
  const resources = resourcesOf(preview);
  const target = resources.find(({ name }) => name === "revised")?.urn as string;
  return otherChangesIn(evaluate(preview), resources, target).sort();
}

const OTHERS = [
  "create fresh (Deployment)",
  "update keyed (Deployment): secrets.MODEL_API_KEY changed",
  "update scaled (Deployment): sourceConfig.resourceSpec.minScale 1 -> 2",
  "replace renamed (Deployment): name agents-renamed-0 -> agents-renamed-1",
  "delete gone (Deployment)",
].sort();

test("the changes beside a rollback are those of other resources, without the resource that follows the new revision", () => {
  expect(othersAfter()).toEqual(OTHERS);
});

test("of the deployment itself, every change counts except that of the revision's settings and source", () => {
  const others = othersAfter((document) => {
    const { newState } = stepOf(document, "revised");
    newState.inputs.sourceConfig = { ...newState.inputs.sourceConfig, resourceSpec: { minScale: 9 } };
    plannedIn(document, "revised").push({
      path: "sourceConfig.resourceSpec.minScale",
      effect: "inPlace",
      before: 1,
      after: 9,
    });
  });
  const ofItself = others.find((each) => each.startsWith("update revised"));
  expect(ofItself).toMatch(/^update revised \(Deployment\): sourceConfig\.resourceSpec\S* .*9/);
  expect(others.filter((each) => each !== ofItself)).toEqual(OTHERS);
});

test("a resource that follows a follower of the new revision does not count; an unrelated resource and a follower that also changes by itself do", () => {
  const withInput = (step: Loose, before: unknown, after: unknown, name = "note") => {
    step.oldState.inputs[name] = before;
    step.newState.inputs[name] = after;
  };
  const others = othersAfter((document) => {
    const announced = stepOf(document, "announced");
    // The first follows the revision through `announced`, the second has a change of its own, the third is a provider.
    const [later, unrelated, provider] = ["later", "unrelated", "default"].map((name) => {
      const type = name === "default" ? "pulumi:providers:aws" : "aws:s3/bucket:Bucket";
      const step = structuredClone(announced);
      step.urn = announced.urn.replace("pulumi:index:Stash::announced", `${type}::${name}`);
      step.newState.propertyDependencies = { input: name === "later" ? [announced.urn] : [] };
      return step;
    });
    document.steps.push(later, unrelated, provider);
  });
  expect(others).toEqual([...OTHERS, "update unrelated (Bucket): input"].sort());
  expect(othersAfter((document) => withInput(stepOf(document, "announced"), 1, 2))).toContain(
    "update announced (Stash): note",
  );
});

test("an update without a visible change counts, because a secret may have changed", () => {
  const others = othersAfter((document) => {
    const announced = stepOf(document, "announced");
    announced.newState.inputs = announced.oldState.inputs;
  });
  expect(others).toContain("update announced (Stash)");
});
