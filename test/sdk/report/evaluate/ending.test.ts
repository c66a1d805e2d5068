import { UNKNOWN } from "../../../../provider/schema/value";
import { offencesIn } from "../../../../sdk/report/evaluate/gates";
import type { Report } from "../../../../sdk/report/model";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { deploymentIn, type Loose, reportAfter, stepOf } from "../../../support/goldens";

/**
 * The report on a plan, after a change to the step for `moved`. The plan deletes `moved` first, and then creates it
 * again under the same name.
 */
const moving = (change: (step: Loose, document: Loose) => unknown): Report =>
  reportAfter("langsmith", (document) => change(stepOf(document, "moved"), document));

const renaming = (change: (step: Loose, document: Loose) => unknown): Report =>
  moving((step, document) => {
    step.newState.inputs.name = "another";
    change(step, document);
  });
const fateIn = (report: Report) => deploymentIn(report, "moved").fate;
const warnings = (report: Report) => deploymentIn(report, "moved").warnings.join("\n");

test("if a deployment is replaced under the same name, the report warns that the old one is deleted first, so the deployment is down until the new one runs", () => {
  const report = moving(() => undefined);
  expect([fateIn(report), report.refusals]).toEqual(["deleted", undefined]);
  expect(warnings(report)).toContain("is deleted on the service, before the new one is created: it is down");
});

test.each<[string, (step: Loose) => unknown, RegExp]>([
  [
    "keep the old deployment",
    (step) => (step.oldState.retainOnDelete = true),
    /the option retainOnDelete keeps the old one on the service.*Change name too, or first run an update/,
  ],
  [
    "delete the old deployment last",
    (step) => (step.oldState.delete = true),
    /deleteBeforeReplace is false.*Change name too, or set that option/,
  ],
])(
  "the report refuses a replacement under the same name if an option makes the engine %s",
  (_, change, words) => {
    const report = moving(change);
    expect(fateIn(report)).toBe("refused");
    expect(report.refusals).toEqual([expect.stringMatching(words)]);
    expect(report.refusals?.[0]).toContain('deployment "moved": keeps the name');
    for (const { plan } of Object.values(FORMATS))
      expect(plan([report], {})).toContain("The update would fail");
    // If the new deployment has a new name, nothing is refused: the old deployment stays, or is deleted last.
    const renamed = renaming(change);
    expect([fateIn(renamed) === "refused", renamed.refusals]).toEqual([false, undefined]);
  },
);

test("the report, like the engine, refuses to import and replace a resource in the same update", () => {
  const report = moving((step, document) => {
    const imported = { ...step.newState, importID: step.oldState.id };
    document.steps.unshift({ op: "import", urn: step.urn, newState: imported });
  });
  expect(fateIn(report)).toBe("refused");
  expect(report.refusals).toEqual([
    expect.stringMatching(/"moved": is imported and replaced in the same update/),
  ]);
});

test("the report refuses a forced replacement of a listener if the replacement would take over the same listener", () => {
  const replaced = (id: string): Report =>
    reportAfter("dependents", (document) => {
      const step = stepOf(document, "cluster");
      Object.assign(step, { op: "replace", replaceReasons: ["id"] });
      step.newState.inputs = structuredClone(step.oldState.inputs);
      // The new plan gets the number of a first plan, because the engine withholds the old inputs.
      Object.assign(step.oldState.inputs.__plan, { number: 1 });
      Object.assign(step.newState.inputs.__plan, { number: 1, verdict: "unchanged", adopts: id });
      const message = `takes over the existing listener ${id}; nothing in it changes`;
      document.diagnostics = [{ urn: step.urn, message, severity: "info" }];
    });
  const itself = replaced("00000000-0000-4000-8000-000000000002");
  expect(itself.listeners[0]).toMatchObject({ verdict: "replace", fate: "refused" });
  expect(itself.refusals).toEqual([
    expect.stringMatching(/^listener "cluster": would be replaced by itself.*or leave --replace out/),
  ]);
  expect(replaced("00000000-0000-4000-8000-000000000003").refusals).toBeUndefined();
});

test("if a dependency causes a replacement, the replacement is certain, even if the deployment's new name is unknown", () => {
  const unknown = (step: Loose, document: Loose) => {
    step.newState.inputs = { ...step.oldState.inputs, name: UNKNOWN };
    const line = document.diagnostics.find(
      ({ urn, severity }: Loose) => urn === step.urn && severity === "info",
    );
    line.message = "may be replaced; otherwise it has no changes; replaced if it differs (name)";
  };
  const perhaps = moving(unknown);
  expect(deploymentIn(perhaps, "moved")).toMatchObject({ verdict: "may-create-revision" });
  const surely = moving((step, document) => {
    unknown(step, document);
    // The provider did not decide this replacement.
    delete step.replaceReasons;
  });
  expect(deploymentIn(surely, "moved")).toMatchObject({ verdict: "replace", fate: "deleted" });
  expect(deploymentIn(surely, "moved").otherwise).toBeUndefined();
});

test("a replacement is certain if the engine deletes the resource before it replaces the resource's dependency", () => {
  // The engine shows three steps, and only the last step names the argument that depends on the dependency.
  const deletedFirst = (step: Loose, document: Loose, argument: string) => {
    step.newState.inputs = { ...step.oldState.inputs, [argument]: UNKNOWN };
    document.steps.push(
      { ...step, op: "replace", replaceReasons: null },
      { ...step, op: "create-replacement", replaceReasons: [argument] },
    );
    Object.assign(step, { op: "delete-replaced", replaceReasons: null, newState: null });
    document.diagnostics = [];
  };
  const report = moving((step, document) => deletedFirst(step, document, "name"));
  expect(deploymentIn(report, "moved")).toMatchObject({ verdict: "replace", fate: "deleted" });
  expect(deploymentIn(report, "moved").otherwise).toBeUndefined();
  const { listeners } = reportAfter("dependents", (document) =>
    deletedFirst(stepOf(document, "cluster"), document, "computeId"),
  );
  expect(listeners).toMatchObject([{ name: "cluster", verdict: "replace" }]);
  expect(listeners[0]?.otherwise).toBeUndefined();
});

test("if an option keeps the old deployment and the name is unchanged, the report refuses a replacement that a dependency causes", () => {
  const withDependency = (change: (step: Loose) => unknown) =>
    moving((step) => {
      step.newState.inputs = { ...step.oldState.inputs };
      delete step.replaceReasons;
      change(step);
    });
  const retained = withDependency((step) => (step.oldState.retainOnDelete = true));
  expect([fateIn(retained), retained.refusals]).toEqual([
    "refused",
    [expect.stringContaining("retainOnDelete")],
  ]);
  const deleted = withDependency(() => undefined);
  expect([fateIn(deleted), deleted.refusals]).toEqual(["deleted", undefined]);
  const renamed = withDependency((step) => {
    step.oldState.retainOnDelete = true;
    step.newState.inputs.name = "another";
  });
  expect([fateIn(renamed), renamed.refusals]).toEqual(["retained", undefined]);
});

test("a deployment with retainOnDelete in the program stays even if a transformation drops the option", () => {
  const report = renaming((step) => {
    step.oldState.retainOnDelete = false;
    step.oldState.outputs.__retained = true;
  });
  expect(fateIn(report)).toBe("retained");
});

test("if the preview failed on a deployment, the report does not refuse its replacement again", () => {
  const report = moving((step, document) => {
    step.oldState.retainOnDelete = true;
    document.diagnostics.push({ urn: step.urn, severity: "error", message: "refused" });
  });
  expect(report.refusals).toBeUndefined();
});

test("a deployment stays if the update deletes the resource that the deployment's deletedWith names, unless the deployment is deleted first", () => {
  const leftTo = (name: string) => (step: Loose, document: Loose) => {
    step.oldState.delete = true;
    step.oldState.deletedWith = stepOf(document, name).urn;
  };
  const other = (document: Loose, op: string) => {
    const step = stepOf(document, "scaled");
    step.op = op;
    return step;
  };
  const gone = renaming((step, document) => {
    other(document, "delete");
    leftTo("scaled")(step, document);
  });
  expect(fateIn(gone)).toBe("retained");
  expect(warnings(gone)).toContain('its option deletedWith leaves that to the deletion of "scaled"');
  const stays = renaming(leftTo("scaled"));
  expect(fateIn(stays)).toBe("deleted");
  const first = renaming((step, document) => {
    other(document, "delete");
    leftTo("scaled")(step, document);
    step.oldState.delete = false;
  });
  expect(fateIn(first)).toBe("deleted");
});

test("the option protect forbids a replacement, unless the same plan removes the option", () => {
  expect(
    fateIn(
      moving((step) => {
        step.oldState.protect = true;
        step.newState.protect = true;
      }),
    ),
  ).toBe("refused");
  expect(fateIn(moving((step) => (step.oldState.protect = true)))).toBe("deleted");
});

test("the gate `delete` fails for a replacement only if the replacement deletes the old deployment", () => {
  const gated = (report: Report) => offencesIn([report], { failOn: ["delete"], allow: [] }).join("\n");
  expect(gated(moving(() => undefined))).toContain('deployment "moved": the old deployment');
  expect(gated(renaming((step) => (step.oldState.retainOnDelete = true)))).not.toContain('"moved"');
});

test("the digest depends on whether the old deployment is deleted", () => {
  const digests = [renaming(() => undefined), renaming((step) => (step.oldState.retainOnDelete = true))].map(
    ({ digest }) => digest,
  );
  expect(new Set(digests).size).toBe(2);
});

test("if another resource takes over a removed deployment, the report says so even if the deployment has retainOnDelete", () => {
  const report = reportAfter("langsmith", (document) => {
    const [gone, taker] = [stepOf(document, "gone"), stepOf(document, "image")];
    gone.oldState.retainOnDelete = true;
    Object.assign(taker, { op: "create", oldState: null });
    taker.newState.inputs.__plan = {
      ...taker.newState.inputs.__plan,
      verdict: "unchanged",
      adopts: gone.oldState.id,
    };
  });
  const { fate, warnings: words } = deploymentIn(report, "gone");
  expect([fate, words]).toEqual(["retained", [expect.stringMatching(/ stays: "image" takes it over$/)]]);
});

test("if a deployment may be replaced, but an option keeps the old one, the report says that a replacement would fail", () => {
  const report = moving((step, document) => {
    step.newState.inputs = structuredClone(step.oldState.inputs);
    step.newState.inputs.sourceConfig = { ...step.newState.inputs.sourceConfig, listenerId: UNKNOWN };
    step.oldState.retainOnDelete = true;
    const line = document.diagnostics.find(
      ({ urn, severity }: Loose) => urn === step.urn && severity === "info",
    );
    line.message =
      "may be replaced; otherwise it has no changes; replaced if it differs (sourceConfig.listenerId)";
  });
  expect(deploymentIn(report, "moved")).toMatchObject({ verdict: "may-create-revision", fate: "retained" });
  expect(warnings(report)).toMatch(
    /^if it is replaced: keeps the name .* retainOnDelete .* so every update fails/,
  );
  expect(report.refusals).toBeUndefined();
});
