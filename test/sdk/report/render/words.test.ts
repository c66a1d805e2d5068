import { headline } from "../../../../sdk/report/render/words";
import { type Loose, reportAfter, stepOf } from "../../../support/goldens";

/** The headline of a plan with only the steps of these deployments. */
const headlineOf = (names: readonly string[], change: (document: Loose) => unknown = () => undefined) =>
  headline([
    reportAfter("langsmith", (document) => {
      change(document);
      const isNamed = ({ urn = "" }: Loose) => names.includes(urn.split("::").at(-1));
      document.steps = document.steps.filter(isNamed);
      document.changeSummary = {};
      document.diagnostics = document.diagnostics.filter(isNamed);
    }),
  ]);

test("the headline first says which deployments the service loses, and then whether traffic moves", () => {
  expect(headlineOf(["gone"])).toBe(
    "1 deployment is deleted. No traffic moves to a new revision, but deployments leave the stack: 1 removed",
  );
  expect(headlineOf(["moved", "gone"])).toBe(
    "2 deployments are deleted, 1 down meanwhile. Traffic moves to newly built revisions: 1 replaced, 1 removed",
  );
});

test("the headline names no loss if the service keeps the deployments that leave the stack", () => {
  const retain = (document: Loose) => (stepOf(document, "gone").oldState.retainOnDelete = true);
  expect(headlineOf(["gone"], retain)).toBe(
    "No traffic moves to a new revision, but deployments leave the stack: 1 removed",
  );
});

test("if the profile decides whether a deployment is deleted, the headline says that the deployment may be deleted", () => {
  const change = (document: Loose) => {
    document.config = { "deployment-control:profile": "contract" };
  };
  expect(headlineOf(["gone"], change)).toMatch(/^1 deployment may be deleted\. No traffic moves/);
});
