import { UNKNOWN } from "../../../../provider/schema/value";
import { evaluate } from "../../../../sdk/report/evaluate/evaluate";
import { resultOf } from "../../../../sdk/report/evaluate/result";
import { eventsIn } from "../../../../sdk/report/read/events";
import { previewIn } from "../../../../sdk/report/read/preview";
import { changed, eventsOf, type Loose, plannedIn, previewOf, stepOf } from "../../../support/goldens";

const FORMS = ["mixed", "pluginMixed"] as const;
type Recorded = (typeof FORMS)[number];

const IMAGE = "sourceRevisionConfig.imageUri";
const SCALE = "sourceConfig.resourceSpec.minScale";
const changeAt = (inputs: Loose, path: string): Loose =>
  inputs.__plan.changes.find((each: Loose) => each.path === path);

/** The events of the recorded `pulumi up`, after `change` has edited the new inputs of the resource with that name. */
function appliedWith(recorded: Recorded, name: string, change: (inputs: Loose, metadata: Loose) => void) {
  const lines = eventsOf(recorded).trim().split("\n");
  const edited = lines.map((line) => {
    const event = JSON.parse(line);
    const { metadata } = event.resourcePreEvent ?? event.resOutputsEvent ?? {};
    if (metadata?.urn.endsWith(`::${name}`) && metadata.new) change(metadata.new.inputs, metadata);
    return JSON.stringify(event);
  });
  return eventsIn(edited.join("\n"), "up");
}

/** The differences in each resource whose outcome the result counts as wrong, keyed by the resource's name. */
function wrongIn(
  recorded: Recorded,
  name: string,
  change: (inputs: Loose, metadata: Loose) => void,
  plan: (document: Loose) => void = () => undefined,
) {
  const preview = previewIn(changed(recorded, plan), "preview");
  const { outcomes } = resultOf(evaluate(preview), appliedWith(recorded, name, change), preview);
  const wrong = outcomes.filter(({ right }) => right === false);
  return Object.fromEntries(wrong.map((outcome) => [outcome.name, outcome.differences]));
}

describe.each(FORMS)("the result of %s", (recorded) => {
  test("names a value that was applied instead of the planned value", () => {
    const wrong = wrongIn(recorded, "revised", (inputs) => {
      changeAt(inputs, IMAGE).after = "registry.example.com/revised:6.6.6";
    });
    const image = "registry.example.com/revised";
    expect(wrong).toEqual({
      revised: [
        `sourceRevisionConfig.imageUri: planned ${image}:1.0.0 -> ${image}:1.1.0, applied ${image}:1.0.0 -> ${image}:6.6.6`,
      ],
    });
  });

  test("names a change that was applied in addition to the planned changes", () => {
    const wrong = wrongIn(recorded, "revised", (inputs) => {
      inputs.sourceConfig.resourceSpec.minScale = 3;
      inputs.__plan.changes.push({ path: SCALE, effect: "inPlace", before: 1, after: 3 });
    });
    expect(wrong).toEqual({ revised: ["sourceConfig.resourceSpec.minScale 1 -> 3 was not planned"] });
  });

  test("names a planned change that was not applied, and a value that somebody changed after the preview", () => {
    expect(
      wrongIn(recorded, "revised", (inputs) => {
        inputs.__plan.changes = [{ path: "sourceConfig.buildCommand", effect: "inPlace", after: "make" }];
      }),
    ).toEqual({
      revised: [
        "sourceConfig.buildCommand (not set) -> make was not planned",
        "sourceRevisionConfig.imageUri registry.example.com/revised:1.0.0 -> registry.example.com/revised:1.1.0 was planned, but not applied",
      ],
    });
    const moved = wrongIn(recorded, "revised", (inputs) => {
      changeAt(inputs, IMAGE).before = "registry.example.com/revised:5";
    });
    expect(moved.revised).toEqual([
      expect.stringMatching(/imageUri: planned .*1\.0\.0 -> .*1\.1\.0, applied .*:5 -> .*1\.1\.0$/),
    ]);
  });

  test("names a secret whose change was not planned", () => {
    const added = wrongIn(recorded, "keyed", (inputs) => {
      inputs.__plan.changes.push({
        path: "secrets.EXTRA",
        effect: "mayRevise",
        after: "[secret]",
        hidden: true,
      });
    });
    expect(added).toEqual({ keyed: ["secrets.EXTRA added was not planned"] });
  });

  test("names an argument and a service that differ from the planned creation", () => {
    const wrong = wrongIn(
      recorded,
      "fresh",
      (inputs) => {
        inputs.sourceConfig.resourceSpec.minScale = 3;
        inputs.__plan.service = "http://b.example";
      },
      (document) => {
        stepOf(document, "fresh").newState.inputs.__plan.service = "http://a.example";
      },
    );
    expect(wrong).toEqual({
      fresh: [
        "sourceConfig.resourceSpec.minScale: planned (not set) -> 1, applied (not set) -> 3",
        "service: planned (not set) -> http://a.example, applied (not set) -> http://b.example",
      ],
    });
  });

  test("accepts any value, or no value, if the plan did not know the value", () => {
    const plan = (document: Loose) => {
      for (const [name, path] of [
        ["revised", IMAGE],
        ["scaled", "sourceConfig"],
        ["keyed", "secrets"],
      ] as const)
        Object.assign(plannedIn(document, name)[0], { path, after: "[unknown]", unknown: true });
    };
    const differences = ["revised", "scaled", "keyed"].map(
      (name) => wrongIn(recorded, name, () => undefined, plan)[name],
    );
    expect(differences).toEqual([undefined, undefined, undefined]);
  });

  test("compares nothing for a resource that was not planned because its provider did not exist during the preview", () => {
    const unplanned = (document: Loose) => {
      const { newState } = stepOf(document, "fresh");
      newState.provider = "urn:pulumi:dev::agents::pulumi:providers:deployment-control::own::[unknown]";
      newState.inputs = { name: newState.inputs.name };
      document.steps.unshift({
        op: "create",
        urn: "urn:pulumi:dev::agents::pulumi:providers:deployment-control::own",
        newState: { inputs: { baseUrl: UNKNOWN } },
      });
    };
    expect(wrongIn(recorded, "fresh", () => undefined, unplanned)).toEqual({});
  });

  test("names the changes of a deployment that is not in the plan", () => {
    const leaveOut = (document: Loose) => {
      document.steps = document.steps.filter(({ urn }: Loose) => !urn.endsWith("::scaled"));
      document.changeSummary.update -= 1;
    };
    const wrong = wrongIn(recorded, "scaled", () => undefined, leaveOut);
    expect(wrong).toEqual({ scaled: ["sourceConfig.resourceSpec.minScale 1 -> 2 was not planned"] });
  });
});

test("a failed update counts as wrong if it attempted a change that differs from the plan", () => {
  const preview = previewOf("mixed");
  const resultAfter = (image: string) => {
    const text = eventsOf("mixed").replaceAll("revised:1.1.0", image);
    const failed = text.split("\n").map((line) => {
      if (!line.includes("resOutputsEvent") || !line.includes('::revised"')) return line;
      const { resOutputsEvent: failure, ...event } = JSON.parse(line);
      // After a failed update, the engine keeps the old inputs.
      failure.metadata.new.inputs = failure.metadata.old.inputs;
      return JSON.stringify({ ...event, resOpFailedEvent: failure });
    });
    const { outcomes } = resultOf(evaluate(preview), eventsIn(failed.join("\n"), "up"), preview);
    return outcomes.find(({ name }) => name === "revised");
  };
  expect(resultAfter("revised:1.1.0")).toMatchObject({ happened: "failed", right: true });
  expect(resultAfter("revised:6.6.6")).toMatchObject({
    happened: "failed",
    right: false,
    differences: [
      expect.stringContaining(
        "applied registry.example.com/revised:1.0.0 -> registry.example.com/revised:6.6.6",
      ),
    ],
  });
});

test("the result accepts that a variable moves to an argument whose value the plan did not know", () => {
  const wrong = wrongIn(
    "mixed",
    "keyed",
    (inputs) => {
      inputs.__plan.changes = [{ path: "secrets.REGION", effect: "inPlace", after: "[secret]", moves: true }];
    },
    (document) => {
      const change = { path: "environment.REGION", effect: "mayRevise", before: "eu", unknown: true };
      plannedIn(document, "keyed").splice(
        0,
        1,
        { path: "secrets", effect: "mayRevise", after: "[unknown]" },
        change,
      );
    },
  );
  expect(wrong).toEqual({});
});

test.each([
  ["update", { computeId: "east", version: "3" }, "version: planned 1 -> 2, applied 1 -> 3"],
  [
    "create",
    { computeId: "west", version: "2" },
    "computeId: planned (not set) -> east, applied (not set) -> west",
  ],
] as const)(
  "the result lists a listener only if the listener's changes differ from the plan: %s",
  (op, inputs, difference) => {
    const urn = "urn:pulumi:dev::agents::deployment-control:index:Listener::east";
    const planOf = ({ version }: { version?: string }, number: number) => ({
      version: 1,
      number,
      profile: "contract",
      service: "http://a.example",
      verdict: op === "create" ? "create" : "inPlace",
      changes: op === "create" ? [] : [{ path: "version", effect: "inPlace", before: "1", after: version }],
    });
    const listener = (more: object, number = 2) => ({
      inputs: { computeType: "k8s", computeId: "east", ...more, __plan: planOf(more, number) },
    });
    const before = op === "create" ? null : { id: "l", ...listener({ version: "1" }, 1) };
    const step = { op, urn, oldState: before, newState: listener({ version: "2" }) };
    const line = { urn, severity: "info", message: "updates in place (version 1 -> 2)" };
    const diagnostics = op === "create" ? [] : [line];
    const preview = previewIn(JSON.stringify({ steps: [step], diagnostics }), "preview");
    const resultAfter = (more: object) => {
      const metadata = { op, urn, old: before, new: listener(more) };
      const events = [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
      const lines = events.map((event, sequence) => JSON.stringify({ sequence, timestamp: 1, ...event }));
      return resultOf(evaluate(preview), eventsIn(lines.join("\n"), "up"), preview);
    };
    expect(resultAfter({ version: "2" }).outcomes).toEqual([]);
    const [outcome] = resultAfter(inputs).outcomes;
    const happened = op === "create" ? "created" : "in-place";
    expect(outcome).toMatchObject({ name: "east", happened, right: false, differences: [difference] });
  },
);
