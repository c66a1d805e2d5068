import { textOfMessage, valuesOf } from "../../../provider/client/runtime";

test.each<[unknown, string]>([
  ["hello", "hello"],
  ["", ""],
  [["hel", "lo"], "hello"],
  [[{ type: "text", text: "hel" }, { type: "image", url: "https://host.example/a.png" }, "lo"], "hello"],
  [[{ type: "text", text: 7 }, null, 7, ["lo"]], ""],
  [[], ""],
  [{ text: "hello" }, ""],
  [7, ""],
  [null, ""],
  [undefined, ""],
])("the text of the content %j is %j", (content, text) => {
  expect(textOfMessage({ content })).toBe(text);
});

test.each<[unknown, object]>([
  [null, { messages: [] }],
  [undefined, { messages: [] }],
  [["hello"], { messages: [] }],
  [{}, { messages: [] }],
  [{ messages: "hello" }, { messages: [] }],
  [
    { messages: null, other_key: 1 },
    { messages: [], other_key: 1 },
  ],
  [
    { messages: [{ type: "ai", content: "a" }, "text", null, { type: "human" }], topic: { deep: true } },
    { messages: [{ type: "ai", content: "a" }, { type: "human" }], topic: { deep: true } },
  ],
])("the answer %j gives the thread values %j", (answered, values) => {
  expect(valuesOf(answered)).toEqual(values);
});
