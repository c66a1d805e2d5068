/**
 * Keeps the journal on a volume or in a CI cache: the next machine's run continues what the first machine's run began.
 */
import { isPlugin } from "../support/engine/form";
import { type Finding, figuresOf, GOOD, NOTHING, oneCase, together } from "../support/faults/killCase";
import { POINTS } from "../support/faults/killPoints";
import { tellFigures } from "../support/faults/size";

const LONG = 1_200_000;
const KEPT = `kept journal, another HOME and working copy${isPlugin ? ", plugin" : ""}`;
const CHECKPOINTS = {
  with: {},
  without: { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" },
} as const;

const cases = Object.keys(POINTS).flatMap((name) => [[name, "with"] as const, [name, "without"] as const]);

let total: Finding = NOTHING;
afterAll(() => tellFigures(`${KEPT}: ${figuresOf(total)}`));

test.each(cases)(
  "%s, %s checkpoints: after a kill, one up on another machine recovers",
  async (name, checkpoints) => {
    const finding = await oneCase(name, "both", { elsewhere: true, environment: CHECKPOINTS[checkpoints] });
    total = together(total, finding);
    expect(finding).toMatchObject(GOOD);
  },
  LONG,
);

test(
  "the same test catches a journal that stays on the first machine: the next up refuses the unknown creations",
  async () => {
    const environment = { ...CHECKPOINTS.without, DEPLOYMENT_CONTROL_JOURNAL: "" };
    const finding = await oneCase("create: answered, before the journal has the id", "both", {
      elsewhere: true,
      environment,
    });
    expect(finding).toMatchObject({ duplicates: 0, lost: 1, notConverged: 1 });
    expect(finding.stories.join()).toContain('a deployment named "chat" exists already');
  },
  LONG,
);
