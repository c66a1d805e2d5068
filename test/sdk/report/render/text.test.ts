import { FORMATS, terminalOptions } from "../../../../sdk/report/render/formats";
import {
  busy,
  deployment,
  listener,
  outcome,
  reason,
  report,
  result,
} from "../../../support/report/handMadeReports";
import { UNSEEN } from "../../../support/report/hostileTexts";

const { plan: planText, result: resultText } = FORMATS.text;
const [planMarkdown, planPage] = [FORMATS.markdown.plan, FORMATS.html.plan];

const PAINT = new RegExp(`${String.fromCharCode(27)}\\[\\d+(?:;\\d+)*m`, "g");

test("if a plan uses several services, every format shows each service; if a plan uses only one service, no format shows that service", () => {
  const [near, far] = ["https://near.example/api", "https://far.example/api"];
  const onServices = (...services: readonly (string | null)[]) =>
    report(
      [
        deployment("chat", "create", { service: services[0] }),
        deployment("research", "new-revision", { service: services[1] }),
      ],
      { listeners: [listener("east", { verdict: "in-place", service: services[2] })] },
    );
  const shown = (...services: readonly (string | null)[]) =>
    [planText, planMarkdown, planPage].map((show) => show([onServices(...services)]));
  for (const text of [...shown(near, near, near), ...shown(null, near, near)])
    expect(text).not.toContain(near);
  const [text, markdown, page] = shown(far, near, near);
  expect(text).toMatch(/^\+ chat .*\n {4}on https:\/\/far\.example\/api$/m);
  expect(text).toMatch(/^~ east .*\n {4}on https:\/\/near\.example\/api$/m);
  expect(markdown).toContain(`<code>chat</code>: created</summary>\n\n- on \`${far}\``);
  expect(page).toContain(`<p>on ${far}</p>`);
});

test("changes that make a revision come first, then changes in place, then the dependents", () => {
  const text = planText([busy()]);
  const chat = text.slice(text.indexOf("▲ chat"), text.indexOf("▲ research"));
  expect(chat.split("\n").slice(1, 5)).toEqual([
    "    sourceRevisionConfig.imageUri  registry.example.com/shop/chat:1.0.0 → registry.example.com/shop/chat:1.1.0  (new revision)",
    "    sourceConfig.resourceSpec.minScale  1 → 2  (in place)",
    "    then greeting (SmokeTest, update)",
    "    then released (Rollout, update)",
  ]);
});

test.each([
  ["retained", "removed, keeps running"],
  ["deleted", "deleted"],
  ["refused", "removal refused"],
] as const)("every format labels a removed deployment with its fate: %s", (fate, label) => {
  const reports = [report([deployment("gone", "delete", { fate, builtFrom: null })])];
  expect(planText(reports)).toContain(`− gone  ${label}\n`);
  expect(planMarkdown(reports)).toContain(`− **${label}** `);
  expect(planPage(reports)).toContain(`<span class="tone">${label}</span>`);
});

test("every format shows the change of a hidden value as a word, not as two equal masks", () => {
  const [hidden, effect] = ["[secret]", "may-create-revision"] as const;
  const reasons = [
    reason("secrets.OLD", effect, hidden, null),
    reason("secrets.NEW", effect, null, hidden),
    reason("secrets.KEY", effect, hidden, hidden),
  ];
  const reports = [report([deployment("chat", "may-create-revision", { reasons })])];
  const text = planText(reports);
  for (const line of ["OLD  removed", "NEW  added", "KEY  changed"])
    expect(text).toContain(`    secrets.${line}  (may create a revision)\n`);
  expect(planMarkdown(reports)).toContain(
    "<br>`secrets.OLD` removed<br>`secrets.NEW` added<br>`secrets.KEY` changed |",
  );
  for (const shown of [text, planMarkdown(reports), planPage(reports)]) expect(shown).not.toContain(hidden);
});

test("colors appear only on request, and do not change the text", () => {
  const colored = planText([busy()], { color: true });
  expect(colored).toMatch(PAINT);
  expect(colored.replace(PAINT, "")).toBe(planText([busy()]));
  expect(planText([busy()])).not.toMatch(UNSEEN);
});

test.each([
  [{ isTTY: true }, {}, { color: true }],
  [{ isTTY: true }, { NO_COLOR: "1" }, { color: false }],
  [{ isTTY: true }, { NO_COLOR: "" }, { color: true }],
  [{ isTTY: true }, { TERM: "dumb" }, { color: false }],
  [{ isTTY: true }, { FORCE_COLOR: "0" }, { color: false }],
  [{}, {}, { color: false }],
  [{}, { FORCE_COLOR: "1" }, { color: true }],
  [{}, { FORCE_COLOR: "" }, { color: true }],
])("a stream %j with the environment %j gets the options %j", (stream, environment, options) => {
  expect(terminalOptions(stream, environment)).toEqual(options);
});

test("the headline counts each outcome once, and if something failed, the headline judges only the part that was applied", () => {
  const [right, undecided] = [
    outcome("a", "in-place", "in-place", true),
    outcome("b", "create", "not-applied", null),
  ];
  const [lost, built] = [
    outcome("c", "new-revision", "failed", null),
    outcome("d", "new-revision", "failed", true),
  ];
  const headline = (...outcomes: Parameters<typeof result>[0]) =>
    resultText([result(outcomes)]).split("\n")[0];
  expect(headline(right)).toBe("The apply did what the plan said: 1 as planned");
  expect(headline(right, undecided)).toBe("The apply did what the plan said: 1 as planned, 1 undecided");
  const far = "As far as it got, the apply did what the plan said:";
  expect(headline(right, lost)).toBe(`${far} 1 as planned, 1 failed`);
  expect(headline(right, undecided, built, lost)).toBe(`${far} 1 as planned, 1 undecided, 2 failed`);
  expect(headline(lost)).toBe("Nothing can be said about the plan, 1 failed");
  expect(headline(built)).toBe("Nothing can be said about the plan, 1 failed");
});
