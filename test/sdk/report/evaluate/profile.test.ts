import { deploymentIn, type Loose, reportAfter } from "../../../support/goldens";

interface Case {
  /** The profile in the stack's configuration. */
  readonly configured: string;
  /** The profile in the recorded plan of the removed deployment; undefined if there is no plan. */
  readonly recorded?: string;
  readonly option?: string;
  /** The connection of the removed deployment. */
  readonly connection?: string;
  /** Whether the preview also plans the other resources, with the profile `langsmith`. */
  readonly plansOthers?: true;
}

/** The removed deployment in the report. */
function removed({ configured, recorded, option, connection, plansOthers }: Case) {
  const change = (document: Loose) => {
    document.config = { "deployment-control:profile": configured };
    const isGone = ({ urn }: Loose) => urn.endsWith("::gone");
    if (!plansOthers) document.steps = document.steps.filter(isGone);
    const { inputs } = document.steps.find(isGone).oldState;
    if (connection !== undefined) inputs.connection = connection;
    if (recorded === undefined) delete inputs.__plan;
    else inputs.__plan.profile = recorded;
  };
  return deploymentIn(reportAfter("langsmith", change, option), "gone");
}

test.each<[Case, string]>([
  [{ recorded: "contract", configured: "contract", plansOthers: true }, "deleted"],
  [{ recorded: "contract", configured: "contract" }, "retained"],
  [{ recorded: "langsmith", configured: "langsmith" }, "deleted"],
  [{ configured: "langsmith" }, "deleted"],
  [{ recorded: "contract", configured: "langsmith", connection: "other" }, "retained"],
  [{ configured: "langsmith", option: "contract" }, "retained"],
])(
  "a removal's profile comes from this preview's other plans, or else from the last plan and the settings: %j",
  (each, fate) => {
    const deployment = removed(each);
    expect([deployment.fate, deployment.warnings.join().includes("or stays")]).toEqual([fate, false]);
  },
);

test.each<Case>([
  { recorded: "contract", configured: "langsmith" },
  { recorded: "langsmith", configured: "contract" },
  { recorded: "contract", configured: "contract", option: "langsmith" },
])("if the last plan and settings name different profiles, a removal counts as a deletion: %j", (each) => {
  const { fate, warnings } = removed(each);
  expect(fate).toBe("deleted");
  expect(warnings.join()).toContain(
    "is deleted on the service, or stays: the settings name another profile than its last update",
  );
});
