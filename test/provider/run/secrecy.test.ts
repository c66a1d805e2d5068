import { keepSecret, redacted } from "../../../provider/run/secrecy";

const VALUE = 'p@ss "w\\rd"/+é>>>>>?????&<\'\n';
keepSecret(VALUE);

const bytes = Buffer.from(VALUE);
const quoted = JSON.stringify(VALUE).slice(1, -1);

test.each([
  ["as it is", VALUE],
  ["without blank ends", VALUE.trim()],
  ["without blank ends, within JSON", JSON.stringify(VALUE.trim()).slice(1, -1)],
  ["within JSON", quoted],
  ["within JSON within JSON", JSON.stringify(quoted).slice(1, -1)],
  ["encoded for an address", encodeURIComponent(VALUE)],
  ["encoded for a form", new URLSearchParams({ a: VALUE }).toString().slice(2)],
  ["in base64", bytes.toString("base64")],
  ["in base64 without padding", bytes.toString("base64").replace(/=+$/, "")],
  ["in base64 for addresses", bytes.toString("base64url")],
  ["within JSON without other signs than ASCII", quoted.replace("é", "\\u00e9")],
  ["within JSON with escaped slashes", quoted.replace("/", "\\/")],
  [
    "encoded for an address with small digits",
    encodeURIComponent(VALUE).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ["encoded for an address but for slashes", encodeURIComponent(VALUE).replace("%2F", "/")],
  ["encoded for an address to the last sign", encodeURIComponent(VALUE).replace("'", "%27")],
  ["within HTML", 'p@ss "w\\rd"/+é&gt;&gt;&gt;&gt;&gt;?????&amp;&lt;\'\n'],
  ["within HTML's attributes", "p@ss &quot;w\\rd&quot;/+é&gt;&gt;&gt;&gt;&gt;?????&amp;&lt;&#39;\n"],
  [
    "within HTML with numbers for quotes",
    "p@ss &#34;w\\rd&#34;/+é&gt;&gt;&gt;&gt;&gt;?????&amp;&lt;&#x27;\n",
  ],
  [
    "within HTML without other signs than ASCII",
    "p@ss &quot;w\\rd&quot;/+&#233;&gt;&gt;&gt;&gt;&gt;?????&amp;&lt;&#039;\n",
  ],
  ["in hexadecimal", bytes.toString("hex")],
  ["in capital hexadecimal", bytes.toString("hex").toUpperCase()],
])("a secret is masked %s, everywhere in the text", (_, spelling) => {
  expect(redacted(`a ${spelling} b ${spelling}.`)).toBe("a [secret] b [secret].");
});

test("every string and number within a secret value is masked, but names are not", () => {
  keepSecret({
    OPENAI_API_KEY: "sk-nested-1",
    list: ["sk-nested-2", { deep: "sk-nested-3" }],
    none: null,
    n: 12345,
  });
  expect(redacted("OPENAI_API_KEY sk-nested-1 sk-nested-2 sk-nested-3 12345")).toBe(
    "OPENAI_API_KEY [secret] [secret] [secret] [secret]",
  );
});

test("if one secret is part of another, the whole longer one is masked", () => {
  keepSecret("inner-part");
  keepSecret("outer-inner-part-rest");
  expect(redacted("x outer-inner-part-rest y inner-part z")).toBe("x [secret] y [secret] z");
});

test("overlapping secrets are masked completely", () => {
  keepSecret(["overlap-first-middle", "middle-and-the-last"]);
  expect(redacted("a overlap-first-middle-and-the-last z")).toBe("a [secret] z");
});

test("the part of a secret before a cut is masked, but not text that only begins like a secret", () => {
  keepSecret("cut-away-at-its-end");
  expect(redacted("token cut-away-a… and cut-away-b…")).toBe("token [secret]… and cut-away-b…");
});

test("short values and numbers of few digits stay, since masking them would hide ordinary words and other numbers", () => {
  keepSecret(["on", "yes", "", "      ", { replicas: 3 }]);
  expect(redacted("yes,       3 are on")).toBe("yes,       3 are on");
});

test("a secret with characters of regular expressions is taken literally", () => {
  keepSecret("a.*b$&c");
  expect(redacted("a.*b$&c axxb$&c")).toBe("[secret] axxb$&c");
});

test.each([0, 1, 2, 3, 4, 5])("a secret in base64 with %i bytes before it is masked completely", (before) => {
  for (const encoding of ["base64", "base64url"] as const) {
    const encoded = Buffer.from(`${"x".repeat(before)}${VALUE}and more`).toString(encoding);
    const shown = redacted(encoded);
    expect(shown).toContain("[secret]");
    expect(Buffer.from(shown.replace("[secret]", ""), encoding).toString()).not.toContain("ss ");
    expect(shown.length).toBeLessThan(40);
  }
});

test("a secret that is not well-formed text is masked too", () => {
  keepSecret("half-\ud800-pair");
  expect(redacted("a half-\ud800-pair b")).toBe("a [secret] b");
});
