import { textMatching } from "../../../sdk/testing/matching";

test.each([
  "hello",
  "[Hh]ello",
  "^(yes|no), (?:we|you) can$",
  "\\d{4}-\\d{2}-\\d{2}",
  "^\\s*\\w+\\.$",
  "[^a-z]{3,}",
  "(?<word>\\w+) \\1",
  "a+?b*c?",
  "\\u00e9|x",
  "^\\x41[\\]x]\\/$",
  "\\bcat\\b",
  "(a|(b|c))d{2}",
  "{}",
  "100% \\(sure\\)",
  ".",
])("the text for /%s/ matches it", (expression) => {
  const text = textMatching(expression);
  expect(text).toMatch(new RegExp(expression));
});

test.each(["(?=.*a)(?=.*b)", "^(?!a)", "\\p{L}{3}(?<=x)"])(
  "there is no text for /%s/, which has a look-around",
  (expression) => {
    expect(textMatching(expression)).toBeUndefined();
  },
);
