import { REMOVES_FOREIGN } from "../../../../provider/diff/sentences";
import { UNKNOWN } from "../../../../provider/schema/value";
import { differencesBetween, reportsIn } from "../../../../sdk/report/evaluate/expect";
import {
  deploymentIn,
  type Loose,
  NAMES,
  plannedIn,
  reportAfter,
  reportOf,
  stepOf,
} from "../../../support/goldens";

const plan = (change: (document: Loose) => void) => reportAfter("mixed", change);

test.each(NAMES)("the plan %s does not differ from the report on the same plan", (name) => {
  const reviewed = reportsIn(JSON.stringify(reportOf(name)), "report.json");
  expect(differencesBetween(reviewed, [reportOf(name)])).toEqual([]);
});

test("the comparison has a line for each deployment that differs, whichever of the two plans was reviewed", () => {
  const now = plan((document) => {
    document.steps = document.steps.filter((step: { urn: string }) => !step.urn.endsWith("::fresh"));
    Object.assign(plannedIn(document, "revised")[0], { after: "registry.example.com/revised:9" });
    const { urn } = stepOf(document, "scaled");
    Object.assign(plannedIn(document, "scaled")[0], { effect: "newRevision" });
    document.diagnostics.push({ urn, severity: "info", message: "creates a new revision (x)" });
    stepOf(document, "announced").op = "delete";
  });
  const there = differencesBetween([reportOf("mixed")], [now]);
  expect(there[0]).toBe("stack agents/dev:");
  expect(there.slice(1).sort()).toEqual([
    expect.stringMatching(/^ {2}deployment "fresh": no longer create; .*now unchanged$/),
    '  deployment "revised": no longer sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:1.1.0; now sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:9',
    '  deployment "scaled": no longer in-place; now new-revision',
  ]);
  const back = differencesBetween([now], [reportOf("mixed")]).join("\n");
  expect(back).toContain('deployment "fresh": no longer unchanged; now create');
  expect(back).toContain('deployment "scaled": no longer new-revision; now in-place');
});

test("the comparison has a line for a deployment whose id differs between the two plans", () => {
  const moved = plan((document) => {
    stepOf(document, "revised").oldState.id = "another";
  });
  const { id } = deploymentIn(reportOf("mixed"), "revised");
  expect(differencesBetween([reportOf("mixed")], [moved])).toEqual([
    "stack agents/dev:",
    `  deployment "revised": no longer id ${id}; now id another`,
  ]);
});

test("if the plan now also removes variables that somebody added on the service, the comparison names these variables", () => {
  const now = plan((document) => {
    const message = `deployment "keyed": ${REMOVES_FOREIGN}: DB_PASSWORD`;
    document.diagnostics.push({ urn: stepOf(document, "keyed").urn, severity: "warning", message });
  });
  expect(now.digest).not.toBe(reportOf("mixed").digest);
  expect(differencesBetween([reportOf("mixed")], [now]).join("\n")).toContain("DB_PASSWORD");
});

/** The report on the plan after two edits: its creation uses this service, and a second creation only adopts. */
const onService = (service: string) =>
  plan((document) => {
    const fresh = stepOf(document, "fresh");
    const { inputs } = fresh.newState;
    inputs.__plan.service = service;
    const urn = fresh.urn.replace("::fresh", "::taken");
    const taken = { ...inputs, __plan: { ...inputs.__plan, verdict: "unchanged", adopts: "7f3c" } };
    document.steps.push({ ...fresh, urn, newState: { inputs: taken } });
    document.changeSummary.create += 1;
  });

test("if a creation or an adoption now goes to a different service, the comparison names both services", () => {
  const [reviewed, now] = [onService("http://a.example"), onService("http://b.example")];
  expect(differencesBetween([reviewed], [onService("http://a.example")])).toEqual([]);
  const words = "no longer service http://a.example; now service http://b.example";
  expect(differencesBetween([reviewed], [now])).toEqual([
    "stack agents/dev:",
    `  deployment "fresh": ${words}`,
    `  deployment "taken": ${words}`,
  ]);
});

test("the comparison finds that a token's metadata now goes to a different service", () => {
  const toService = (service: string) =>
    plan((document) => {
      const { urn, ...fresh } = stepOf(document, "fresh");
      const token = urn.replace("Deployment::fresh", "TokenMetadata::token");
      const newState = { inputs: { tokenId: "t", __plan: { ...fresh.newState.inputs.__plan, service } } };
      document.steps.push({ ...fresh, urn: token, newState });
      document.changeSummary.create += 1;
    });
  const reviewed = toService("http://a.example");
  expect(differencesBetween([reviewed], [toService("http://a.example")])).toEqual([]);
  expect(differencesBetween([reviewed], [toService("http://b.example")])).toEqual([
    "stack agents/dev:",
    "  other resources: not the reviewed operations, services or values",
  ]);
});

test("if a connection is unknown until the apply, the report shows an unknown service", () => {
  const { deployments } = plan((document) => {
    Object.assign(stepOf(document, "fresh").newState.inputs, { connection: UNKNOWN });
  });
  expect(deployments.find(({ name }) => name === "fresh")?.service).toBe("[unknown]");
});

test("the comparison notices a removal within an object that is secret as a whole", () => {
  const withChange = (document: Loose) => {
    const step = stepOf(document, "revised");
    for (const side of [step.oldState, step.newState]) side.inputs.sourceConfig = "[secret]";
    step.oldState.outputs.sourceConfig = "[secret]";
    plannedIn(document, "revised").push({
      path: "sourceConfig.customUrl",
      effect: "inPlace",
      before: "https://a",
    });
  };
  const { reasons } = deploymentIn(plan(withChange), "revised");
  expect(reasons.map(({ path }) => path)).toContain("sourceConfig.customUrl");
});

test("the comparison notices a changed argument of our other resources", () => {
  const token = (label: string) => (document: Loose) => {
    const urn = "urn:pulumi:dev::agents::pulumi-nodejs:dynamic/deployment-control:TokenMetadata::ci";
    document.steps.push({
      op: "update",
      urn,
      newState: { urn, inputs: { tokenId: "t", providerAccountLabel: label } },
    });
  };
  expect(plan(token("one")).operations).toBe(plan(token("one")).operations);
  expect(plan(token("one")).operations).not.toBe(plan(token("two")).operations);
});
