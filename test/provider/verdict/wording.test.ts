import { keepSecret, redacted } from "../../../provider/run/secrecy";
import { describeChange, describeVerdict, labelled } from "../../../provider/verdict/describe";
import { hear, sentences } from "../../../provider/verdict/sentences";
import { joined, type MarkedWords, marked, ours } from "../../../provider/verdict/wording";

const OUTSIDE = "sk-from-outside";
const plain = () => false;

/** Every sentence, with text from outside in all slots. */
const sayings = Object.entries(sentences).map(([name, { say }]) => {
  const parts = new Proxy({}, { get: () => OUTSIDE, has: () => true });
  return [name, (say as unknown as (parts: object) => MarkedWords)(parts)] as const;
});
const vocabulary = sayings.flatMap(
  ([, words]) =>
    String(words)
      .replaceAll(OUTSIDE, " ")
      .match(/\w{4,}/g) ?? [],
);
// Makes every word of the provider's sentences a secret.
keepSecret([OUTSIDE, ...vocabulary, "deployment", "chat", "update", "secret", "image", "sourceConfig"]);

test.each(sayings)(
  "in the sentence %s, the inserted values are masked and the sentence's own words are not",
  (_, words) => {
    const line = redacted(words);
    expect(line).toBe(String(words).replaceAll(OUTSIDE, "[secret]"));
    expect(hear(line)?.meaning).toBe(hear(String(words))?.meaning);
  },
);

test("the sentences have over 100 words, and a plain string with these words is masked", () => {
  expect(vocabulary.length).toBeGreaterThan(100);
  expect(redacted("creates a new revision")).toBe("[secret] a new [secret]");
});

test("a change shows its values masked, and the field's name unmasked", () => {
  const change = { path: "sourceConfig.installCommand", effect: "inPlace", unknown: false } as const;
  const values = { before: OUTSIDE, after: "update" };
  expect(redacted(describeChange({ ...change, ...values }, plain))).toBe(
    "sourceConfig.installCommand [secret] -> [secret]",
  );
  expect(redacted(describeVerdict("inPlace", [{ ...change, ...values }], plain))).toBe(
    "updates in place, no new revision (sourceConfig.installCommand [secret] -> [secret])",
  );
});

test("the label of a warning is not masked, but the text of the warning is", () => {
  expect(redacted(labelled('deployment "chat"', "the image chat"))).toBe(
    'deployment "chat": the [secret] [secret]',
  );
});

test("joined texts still record which words are the provider's own", () => {
  const words = joined([marked`a ${"deployment"}`, ours("deployment"), "deployment"], ", deployment, ");
  expect(redacted(words)).toBe("a [secret], deployment, deployment, deployment, [secret]");
  expect(redacted(marked`${words}!`)).toBe(`${redacted(words)}!`);
  expect(`${words}`).toBe("a deployment, deployment, deployment, deployment, deployment");
});

test("a secret that spans two adjacent inserted values is masked", () => {
  expect(redacted(marked`${"sk-from"}${"-outside"}`)).toBe("[secret]");
});
