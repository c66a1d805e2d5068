import type { Change } from "../../../provider/diff/changes";
import { HELD } from "../../../provider/diff/describe";
import { type CheckedPlan, recordedPlan } from "../../../provider/diff/recorded";
import { hiddenBy } from "../../../provider/schema/check";
import { keepSecret } from "../../../provider/schema/secrecy";
import { UNKNOWN } from "../../../provider/schema/value";

const hidden = hiddenBy(["secrets", "sourceConfig.customUrl"]);
const PLACE = { profile: "contract", service: "https://host.example" };
const change = (path: string, before: unknown, after: unknown): Change => ({
  path,
  effect: "inPlace",
  before,
  after,
  unknown: after === UNKNOWN,
});
const plan = (...changes: Change[]): CheckedPlan => ({ verdict: "inPlace", changes });
const changesOf = (...changes: Change[]) => recordedPlan(plan(...changes), PLACE, undefined, hidden).changes;

test("a hidden value is never recorded, and the record omits a value that is not set", () => {
  expect(
    changesOf(
      change("secrets.A", "hunter2-one", "hunter2-two"),
      change("secrets.B", undefined, "hunter2-two"),
      change("secrets.C", HELD, undefined),
      change("sourceConfig.customUrl", "hunter2-one", UNKNOWN),
    ).map(({ effect: _effect, ...each }) => each),
  ).toEqual([
    { path: "secrets.A", before: "[secret]", after: "[secret]", hidden: true },
    { path: "secrets.B", after: "[secret]", hidden: true },
    { path: "secrets.C", before: "[secret]", hidden: true },
    { path: "sourceConfig.customUrl", before: "[secret]", after: "[unknown]", hidden: true, unknown: true },
  ]);
});

test("a secret is masked in every recorded value that contains the secret, and the engine's mark for unknown values is never recorded", () => {
  keepSecret("sk-live-123456");
  const recorded = JSON.stringify(
    changesOf(
      change(
        "sourceConfig.resourceSpec",
        { args: ["--key=sk-live-123456"] },
        { "sk-live-123456": [UNKNOWN] },
      ),
    ),
  );
  expect(recorded).not.toContain("sk-live");
  expect(recorded).not.toContain(UNKNOWN);
  expect(recorded).toContain('"--key=[secret]"');
  expect(recorded).toContain('["[unknown]"]');
});

test("a plan without changes repeats the recorded plan, unless the service or the profile has changed", () => {
  const first = recordedPlan({ verdict: "create", changes: [] }, PLACE, undefined, hidden);
  const nothing: CheckedPlan = { verdict: "unchanged", changes: [] };
  expect(recordedPlan(nothing, PLACE, first, hidden)).toBe(first);
  const elsewhere = { ...PLACE, service: "https://other.example" };
  expect(recordedPlan(nothing, elsewhere, first, hidden)).toMatchObject({ ...elsewhere, number: 2 });
  expect(recordedPlan(nothing, { ...PLACE, profile: "langsmith" }, first, hidden)).toMatchObject({
    number: 2,
  });
});

test("if the same change is planned twice in a row, the second plan gets a new number", () => {
  const secret = plan(change("secrets.A", "hunter2-one", "hunter2-two"));
  const first = recordedPlan(secret, PLACE, undefined, hidden);
  expect(recordedPlan(secret, PLACE, first, hidden)).toEqual({ ...first, number: 2 });
});
