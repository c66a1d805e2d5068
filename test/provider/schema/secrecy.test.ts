import { keepSecret, redacted } from "../../../provider/schema/secrecy";

const VALUE = 'p@ss "w\\rd"/+é>>>>>?????&<\'\n';
keepSecret(VALUE);

const bytes = Buffer.from(VALUE);
const quoted = JSON.stringify(VALUE).slice(1, -1);

test.each([
  ["as it is", VALUE],
  ["without surrounding blanks", VALUE.trim()],
  ["without surrounding blanks, within JSON", JSON.stringify(VALUE.trim()).slice(1, -1)],
  ["within JSON", quoted],
  ["encoded for an address", encodeURIComponent(VALUE)],
  ["encoded for a form", new URLSearchParams({ a: VALUE }).toString().slice(2)],
  ["in base64", bytes.toString("base64")],
  ["in base64 without padding", bytes.toString("base64").replace(/=+$/, "")],
  ["in base64 for addresses", bytes.toString("base64url")],
  ["within JSON in ASCII", quoted.replace("é", "\\u00e9")],
  ["within JSON with escaped slashes", quoted.replace("/", "\\/")],
  [
    "encoded for an address with lowercase digits",
    encodeURIComponent(VALUE).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ["encoded for an address, except slashes", encodeURIComponent(VALUE).replace("%2F", "/")],
])("every occurrence of a secret is masked if the secret appears %s", (_, spelling) => {
  expect(redacted(`a ${spelling} b ${spelling}.`)).toBe("a [secret] b [secret].");
});

test("every string and number in a secret object is masked, but the names of its members are not", () => {
  keepSecret({
    OPENAI_API_KEY: "sk-nested-1",
    list: ["sk-nested-2", { deep: "sk-nested-3" }],
    none: null,
    n: 12345678,
  });
  expect(redacted("OPENAI_API_KEY sk-nested-1 sk-nested-2 sk-nested-3 12345678")).toBe(
    "OPENAI_API_KEY [secret] [secret] [secret] [secret]",
  );
});

test("if one secret is part of another, the longer secret is masked whole", () => {
  keepSecret("inner-part");
  keepSecret("outer-inner-part-rest");
  expect(redacted("x outer-inner-part-rest y inner-part z")).toBe("x [secret] y [secret] z");
});

test("each line of a multiline secret is masked, even if its indentation is missing", () => {
  keepSecret("begin-of-key\n  indented-line-of-key\nend-of-key");
  expect(redacted("line indented-line-of-key came alone")).toBe("line [secret] came alone");
});

test("overlapping secrets are masked completely", () => {
  keepSecret(["overlap-first-middle", "middle-and-the-last"]);
  expect(redacted("a overlap-first-middle-and-the-last z")).toBe("a [secret] z");
});

test("short secrets are not masked, because masking them would hide ordinary words and numbers", () => {
  keepSecret(["on", "yes", "", "          ", "chatbot", { replicas: 3 }]);
  expect(redacted("yes, 3 of chatbot are on")).toBe("yes, 3 of chatbot are on");
});

test("special characters of regular expressions are taken literally in a secret", () => {
  keepSecret("key-a.*b$&c");
  expect(redacted("key-a.*b$&c key-axxb$&c")).toBe("[secret] key-axxb$&c");
});

test("a secret with half a surrogate pair is masked too", () => {
  keepSecret("half-\ud800-pair");
  expect(redacted("a half-\ud800-pair b")).toBe("a [secret] b");
});
