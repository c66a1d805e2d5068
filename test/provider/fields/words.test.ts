import { escapeControls, nearest, sentence, suggestion, uncolored } from "../../../provider/fields/words";

test("characters that could move a cursor or turn text around are written out", () => {
  expect(escapeControls("a\u001b[2J\u2028\u200f\r")).toBe("a\\u001b[2J\\u2028\\u200f\\u000d");
});

test("text that the engine takes for its colours is written out", () => {
  expect(uncolored("a<{%reset%}>b<{%")).toBe("a<\\u007b%reset%}>b<\\u007b%");
});

test("words are closed once", () => {
  expect(["gone", "gone.", "why?"].map((words) => String(sentence(words)))).toEqual([
    "gone.",
    "gone.",
    "why?",
  ]);
});

test("the nearest name is suggested, else all that is allowed", () => {
  expect(nearest("BaseURI", ["apiKey", "baseUrl"])).toBe("baseUrl");
  expect(nearest("base", ["apiKey", "baseUrl"])).toBeUndefined();
  expect(suggestion("baseUri", ["apiKey", "baseUrl"])).toBe("did you mean baseUrl?");
  expect(suggestion("other", ["apiKey", "baseUrl"])).toBe("allowed: apiKey, baseUrl");
});
