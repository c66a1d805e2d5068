import { escapeControls, escapeLines, nearest } from "../../../provider/schema/words";

test("characters that could move a cursor or reverse text are escaped", () => {
  expect(escapeControls("a\u001b[2J\u2028\u200f\r")).toBe("a\\u001b[2J\\u2028\\u200f\\u000d");
});

test("text with several lines keeps its lines, and a command at the beginning of a line is escaped", () => {
  expect(escapeLines("a\n::error::b\n")).toBe("a\n\\u003a:error::b\n");
});

test("text that the engine would read as color marks is escaped", () => {
  expect(escapeControls("a<{%reset%}>b<{%")).toBe("a<\\u007b%reset%}>b<\\u007b%");
});

test("text that a CI runner would read as a command is escaped, and a URN is unchanged", () => {
  expect(escapeControls("a ##[error]b ###[c ##vso[task.x]")).toBe(
    "a \\u0023#[error]b #\\u0023#[c \\u0023#vso[task.x]",
  );
  expect(escapeControls("::error::a ::b::c")).toBe("\\u003a:error::a \\u003a:b::c");
  const plain = "urn:pulumi:dev::shop::a:b:C::chat http://[::1]:80 # ## [x] # [y]";
  expect(escapeControls(plain)).toBe(plain);
});

test.each([
  ["repo_ulr", "repoUrl"],
  ["repository", undefined],
])("the name nearest to %s, in the naming style of any language, is %s", (misspelling, name) => {
  expect(nearest(misspelling, ["integrationId", "repoUrl"])).toBe(name);
});
