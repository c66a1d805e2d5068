import fc from "fast-check";
import { evaluate } from "../../../../sdk/report/evaluate/evaluate";
import { reportsIn } from "../../../../sdk/report/evaluate/expect";
import { documentsIn } from "../../../../sdk/report/read/documents";
import { eventsIn } from "../../../../sdk/report/read/events";
import { previewIn } from "../../../../sdk/report/read/preview";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { changed, eventsOf, type Loose, textOf } from "../../../support/goldens";
import { thrown } from "../../../support/thrown";

const errorOf = (read: () => unknown): string => thrown(read).message;
const preview = (text: string) => errorOf(() => previewIn(text, "plan.json"));

test("the error about a truncated preview names the file and the place, wherever the preview ends", () => {
  const whole = textOf("create").trim();
  for (let length = 0; length < whole.length; length += 1) {
    const words = preview(whole.slice(0, length));
    expect(words).toMatch(
      length === 0 ? /^plan\.json: is empty/ : /^plan\.json, line \d+, column \d+: .*the text ends/,
    );
  }
});

test("the error about invalid JSON names the place where the document begins", () => {
  expect(preview('{\n  "steps": [\n    {"op" "same"}\n]}')).toMatch(
    /^plan\.json, line 1, column 1: the document that begins here is not JSON$/,
  );
  expect(preview(`${textOf("create").trim()}\n{"steps": nul}`)).toMatch(
    new RegExp(`^plan\\.json, line ${textOf("create").trim().split("\n").length + 1}, column 1: `),
  );
});

test.each([
  ["Previewing update (dev):\n", "line 1, column 1: expected a JSON object", "call Pulumi with --json"],
  ['{"steps": []}\nnpm notice', "line 1, column 1", "is not JSON"],
  ["[]", "expected the output of `pulumi preview --json`", "found an array"],
  ["{}", "expected the output of `pulumi preview --json`", "found []"],
  ['{"schemaVersion": 1, "config": {}}', 'found ["schemaVersion","config"]', "A report goes to --expect"],
  ['{"sequence": 0, "timestamp": 1, "preludeEvent": {}}', 'found ["sequence"', "an update to --result"],
])(
  "the error about an input that is not a preview says what was found, or what to do: %j",
  (text, ...parts) => {
    for (const part of parts) expect(preview(text)).toContain(part);
  },
);

test.each([
  ["$.steps[1].op: expected string, received undefined", (document: Loose) => delete document.steps[1].op],
  ["$.steps[1].urn: expected a URN", (document: Loose) => (document.steps[1].urn = "chat")],
  [
    "$.steps[1].newState.inputs: expected an object",
    (document: Loose) => (document.steps[1].newState.inputs = []),
  ],
  ["$.steps: expected array", (document: Loose) => (document.steps = {})],
  [
    "$.changeSummary.same: expected number, received string",
    (document: Loose) => (document.changeSummary.same = "many"),
  ],
])("the error about a preview with a wrong shape names the path: %s", (words, change) => {
  expect(preview(changed("inPlace", change))).toContain(words);
});

test("the error about several previews in one file says what to do", () => {
  expect(preview(textOf("inPlace") + textOf("create"))).toMatch(
    /^plan\.json: expected the preview of one stack, found 2 documents\. Write each .* into its own file: /,
  );
});

test("a document begins with a bracket at the start of a line, even after a byte order mark", () => {
  expect(documentsIn('\ufeff{"a": "}"}', "x")).toEqual([{ a: "}" }]);
  expect(documentsIn('{"a": "}"}\r\n[\n  {}\n]\n\n{"b": "\\"{"}', "x")).toEqual([
    { a: "}" },
    [{}],
    { b: '"{' },
  ]);
  expect(documentsIn('[\n{"a": 1},\n{"b": 2}\n]', "x")).toEqual([[{ a: 1 }, { b: 2 }]]);
});

test("the error about 200,000 open brackets says that the input is truncated", () => {
  expect(preview("[".repeat(200_000))).toContain("the text ends");
  expect(preview(`{"steps": ${"[".repeat(200_000)}`)).toContain("the text ends");
});

test("an odd value anywhere in a preview leads to a report, or to an error about the file or the profile", () => {
  const odd = [null, true, 7, -1.5, "", "text", "[secret]", [], [[]], {}, { a: [null] }];
  const places = placesIn(JSON.parse(textOf("mixed")));
  const mutation = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...odd));
  const holds = ([path, value]: [readonly string[], unknown]) => {
    const text = changed("mixed", (document) => {
      const parent = path.slice(0, -1).reduce((within: Loose, name) => within[name], document);
      parent[path.at(-1) as string] = value;
    });
    try {
      const reports = [evaluate(previewIn(text, "plan.json"))];
      for (const { plan } of Object.values(FORMATS)) plan(reports, {});
    } catch (error) {
      expect([(error as Error).message, error]).toEqual([
        expect.stringMatching(/^plan\.json|^profile/),
        expect.anything(),
      ]);
    }
  };
  fc.assert(fc.property(mutation, holds), { numRuns: 400 });
});

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const within = Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]));
  return path.length === 0 ? within : [path, ...within];
}

test("an error about events names the place of the truncation, the command that writes events, or the path of the wrong value", () => {
  const events = eventsOf("mixed");
  expect(errorOf(() => eventsIn(events.slice(0, -30), "up.json"))).toMatch(
    /^up\.json, line \d+, column \d+: /,
  );
  expect(errorOf(() => eventsIn('{"result":"succeeded"}', "up.json"))).toContain("`pulumi up --json`");
  expect(errorOf(() => eventsIn('{"sequence":1,"timestamp":"x"}', "up.json"))).toContain(
    "$.timestamp: expected number",
  );
});

test("no error quotes the input, which may hold secrets in plaintext", () => {
  const canary = "canary-of-a-debug-event";
  const event = (more: object) => JSON.stringify({ sequence: 1, timestamp: 1, ...more });
  const debug = event({ diagnosticEvent: { severity: "debug", message: canary } });
  const broken = [
    canary,
    `${debug}\n${canary}`,
    `${debug}\n{"a": ${canary}}`,
    `${debug}\n{"a": "${canary}`,
    `${debug}\n${event({ timestamp: canary })}`,
    `${debug}\n${event({ resourcePreEvent: { metadata: { op: { [canary]: 1 }, urn: canary } } })}`,
    `{"sequence": nul, "message": "${canary}"}`,
  ];
  for (const text of broken)
    for (const read of [eventsIn, previewIn, reportsIn])
      expect(errorOf(() => read(text, "up.json"))).not.toContain(canary.slice(0, 8));
});

test("the error about a report with a different schema version names the path of the version", () => {
  expect(errorOf(() => reportsIn('{"schemaVersion": 2}', "report.json"))).toContain("$[0].schemaVersion");
});
