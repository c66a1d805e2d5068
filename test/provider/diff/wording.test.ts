import { describeChange, describeVerdict } from "../../../provider/diff/describe";
import { format } from "../../../provider/diff/sentences";
import { keepSecret } from "../../../provider/schema/secrecy";

const OUTSIDE = "sk-from-outside";
const plain = () => false;

/** Every sentence, as a function that puts the same words into all placeholders. */
const wordings = Object.entries(format).map(([name, write]) => {
  const said = (phrase: string) => {
    const parts = new Proxy({}, { get: () => phrase, has: () => true });
    return (write as (parts: object) => string)(parts);
  };
  return [name, said] as const;
});
const vocabulary = wordings.flatMap(([, said]) => said(" ").match(/\w{8,}/g) ?? []);
// Makes every long word of the provider's sentences a secret.
keepSecret([OUTSIDE, ...vocabulary, "deployment", "sourceConfig", "installCommand"]);

test.each(wordings)("in the sentence %s, the sentence's own words are never masked", (_, said) => {
  const line = said("word");
  expect(line).not.toContain("[secret]");
});

test("a secret that is inserted into a sentence is masked", () => {
  expect(format.deployed({ id: OUTSIDE, seconds: 4 })).toBe(
    "revision [secret] is DEPLOYED and serves, after 4 s",
  );
});

test("a secret is masked in the values of a change, but not in the field's name", () => {
  const change = { path: "sourceConfig.installCommand", effect: "inPlace", unknown: false } as const;
  const values = { before: OUTSIDE, after: "make" };
  expect(describeChange({ ...change, ...values }, plain)).toBe(
    "sourceConfig.installCommand [secret] -> make",
  );
  expect(describeVerdict("inPlace", [{ ...change, ...values }], plain)).toBe(
    "updates in place, no new revision (sourceConfig.installCommand [secret] -> make)",
  );
});
