import { StatusError } from "../../../provider/client/errors";
import { RefusedError } from "../../../provider/failure";
import { joined, type OwnWords, ours, own, wordsOf } from "../../../provider/fields/ownWords";
import { failureWords } from "../../../provider/service/failureWords";
import { keepSecret, redacted } from "../../../provider/service/secrecy";
import { describeChange, describeVerdict } from "../../../provider/verdict/describe";
import { hear, sentences } from "../../../provider/verdict/sentences";

const OUTSIDE = "sk-from-outside";
const plain = () => false;

/** Every word that the provider's sentences are made of is some secret's value. */
const sayings = Object.entries(sentences).map(([name, { say }]) => {
  const parts = new Proxy({}, { get: () => OUTSIDE, has: () => true });
  return [name, (say as unknown as (parts: object) => OwnWords)(parts)] as const;
});
const vocabulary = sayings.flatMap(
  ([, words]) =>
    String(words)
      .replaceAll(OUTSIDE, " ")
      .match(/\w{4,}/g) ?? [],
);
keepSecret([OUTSIDE, ...vocabulary, "deployment", "answered", "update", "secret", "image", "sourceConfig"]);

test.each(sayings)("no word of a sentence is masked, and what is put in is: %s", (_, words) => {
  const line = redacted(words);
  expect(line).toBe(String(words).replaceAll(OUTSIDE, "[secret]"));
  expect(hear(line)?.meaning).toBe(hear(String(words))?.meaning);
});

test("there are words in it, and a text of which nothing is known is masked whole", () => {
  expect(vocabulary.length).toBeGreaterThan(100);
  expect(redacted("creates a new revision")).toBe("[secret] a new [secret]");
});

test("of a change the values are masked and the field's name is not", () => {
  const change = { path: "sourceConfig.installCommand", effect: "inPlace", unknown: false } as const;
  const values = { before: OUTSIDE, after: "update" };
  expect(redacted(describeChange({ ...change, ...values }, plain))).toBe(
    "sourceConfig.installCommand [secret] -> [secret]",
  );
  expect(redacted(describeVerdict("inPlace", [{ ...change, ...values }], plain))).toBe(
    "updates in place, no new revision (sourceConfig.installCommand [secret] -> [secret])",
  );
});

test("of a refusal of the service its own words are masked and those around them are not", () => {
  const place = { operation: "update deployment", method: "PATCH", url: "http://localhost/v2" };
  const error = new StatusError(place, 422, `the image answered ${OUTSIDE}`);
  expect(error.message).toBe(
    `update deployment: PATCH http://localhost/v2 answered 422: the image answered ${OUTSIDE}`,
  );
  expect(redacted(failureWords(error.because("not tried again")))).toBe(
    "update deployment: PATCH http://localhost/v2 answered 422: the [secret] [secret] [secret]; not tried again",
  );
  const refused = new RefusedError(own`the deployment is gone: ${wordsOf(error)}`);
  expect(redacted(failureWords(refused))).toMatch(/^the deployment is gone: update deployment: PATCH/);
});

test("words that are put together stay what they were", () => {
  const words = joined([own`a ${"deployment"}`, ours("deployment"), "deployment"], ", deployment, ");
  expect(redacted(words)).toBe("a [secret], deployment, deployment, deployment, [secret]");
  expect(redacted(own`${words}!`)).toBe(`${redacted(words)}!`);
  expect(`${words}`).toBe("a deployment, deployment, deployment, deployment, deployment");
});

test("a secret that stands in two pieces from outside side by side is masked", () => {
  expect(redacted(own`${"sk-from"}${"-outside"}`)).toBe("[secret]");
});
