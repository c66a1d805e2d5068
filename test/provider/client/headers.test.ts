import { requestHeaders } from "../../../provider/client/headers";
import { settingsIn } from "../../../provider/client/settings";
import { connectionRows } from "../../../provider/schema/settings";
import { httpTo, json, serving } from "../../support/httpServer";
import { KEY, wordsOfRefusal } from "../../support/refusedSetting";

const { apiKey, authHeader, authScheme, headers, allowInsecure } = connectionRows;
const rows = { apiKey, authHeader, authScheme, headers, allowInsecure };

/** The headers that a client with these settings sends, and the secrets in the headers. */
function sentWith(settings: object) {
  const values = settingsIn(rows, settings, { prefix: "here.", howToSet: "give it" });
  return requestHeaders("https://host.example", values, (key) => `here.${key}`);
}
const headersWith = (settings: object) => sentWith(settings).headers;

test("headers may be an object, a JSON string, or absent", () => {
  expect(headersWith({ headers: { "X-Tenant-Id": "t", "X-Empty": "" } })).toEqual({
    "X-Tenant-Id": "t",
    "X-Empty": "",
  });
  expect(headersWith({ headers: '{"X-Tenant-Id": "t"}' })).toEqual({ "X-Tenant-Id": "t" });
  expect(headersWith({})).toEqual({});
});

test.each([7, true, null, [KEY]])("the error about the value %j names its header and the remedy", (value) => {
  expect(wordsOfRefusal(() => headersWith({ headers: { "X-Num": value } }))).toBe(
    "here.headers.X-Num: is not text; put it in quotes, or set it with `pulumi config set --path --type string`",
  );
});

test.each([[7], [true], [["X-Key"]], ["[]"], ["text"]])("headers given as %j are refused", (value) => {
  expect(wordsOfRefusal(() => headersWith({ headers: value }))).toBe("here.headers: is not a JSON object");
});

test.each([
  [{ "X Key": KEY }],
  [{ "": KEY }],
  [{ "X-Key": `${KEY}\n` }],
  [{ "X-Key": `${KEY}\u4e2d` }],
  [{ "X-Key": "\x7f" }],
])("the header %j is refused, because it could not be sent", (headers) => {
  expect(wordsOfRefusal(() => headersWith({ headers }))).toBe(
    "here.headers: allowed: a JSON object that maps header names to strings without line breaks or other characters that a header cannot carry",
  );
});

test.each([
  "Accept",
  "Connection",
  "Content-Length",
  "content-type",
  "Expect",
  "HOST",
  "Keep-Alive",
  "Transfer-Encoding",
  "Upgrade",
])("only the client sets %s, which neither the settings' headers nor the credential may use", (name) => {
  expect(wordsOfRefusal(() => headersWith({ headers: { [name]: "x" } }))).toBe(
    `here.headers: "${name}" belongs to the client itself`,
  );
  expect(wordsOfRefusal(() => headersWith({ apiKey: KEY, authHeader: name }))).toBe(
    "here.authHeader: allowed: the name of a header such as X-Api-Key, or none",
  );
});

test("every valid value of a header reaches the service unchanged", async () => {
  const service = await serving((_, response) => json(response, {}));
  const headers = {
    "X-Marks": "~!#$%&'*+.^_`|",
    "X-Latin": "\xe4 \x80\xff",
    "X-Tabbed": "a\tb",
    "!#a.b^_`|~": "1",
  };
  await httpTo(service.url, { headers: headersWith({ headers }) }).send({
    operation: "read",
    method: "GET",
    path: "/v2/deployments",
  });
  for (const [name, value] of Object.entries(headers))
    expect(service.seen[0]?.headers[name.toLowerCase()]).toBe(value);
});

test("a header whose name suggests a credential counts as a credential", () => {
  const credentials = [
    "Authorization",
    "X-KEY",
    "x-token-id",
    "Client-Secret",
    "Cookie",
    "X-Password",
    "Credential",
  ];
  const all = [...credentials, "X-Tenant-Id", "User-Agent"].map((name) => [name, name]);
  expect(sentWith({ headers: Object.fromEntries(all) }).secrets).toEqual(credentials);
});

test("the credential's header replaces a configured header of the same name, whatever the letter case", () => {
  const headers = { "x-api-key": "a", "X-API-KEY": "b", "X-Other": "c" };
  expect(headersWith({ headers, apiKey: KEY })).toEqual({ "X-Other": "c", "X-Api-Key": KEY });
  expect(headersWith({ headers })).toEqual(headers);
});

test("the key is sent in `authHeader`, after `authScheme`", () => {
  expect(headersWith({ apiKey: KEY })).toEqual({ "X-Api-Key": KEY });
  expect(headersWith({ apiKey: KEY, authHeader: "X-Mine" })).toEqual({ "X-Mine": KEY });
  expect(headersWith({ apiKey: KEY, authHeader: "Authorization", authScheme: "Bearer" })).toEqual({
    Authorization: `Bearer ${KEY}`,
  });
  expect(headersWith({ apiKey: "several words! ~" })).toEqual({ "X-Api-Key": "several words! ~" });
});

test("no credential is sent if there is no key, or if authHeader is `none`", () => {
  expect(headersWith({})).toEqual({});
  expect(headersWith({ authHeader: "Authorization", authScheme: "Bearer" })).toEqual({});
  for (const authHeader of ["none", "NONE"]) expect(headersWith({ apiKey: KEY, authHeader })).toEqual({});
});

const unfitKey =
  "here.apiKey: has a line break, a needless space or a letter that is not ASCII, so no header can carry it. Copy the key again";
const unfitHeader = "here.authHeader: allowed: the name of a header such as X-Api-Key, or none";
const unfitScheme = "here.authScheme: allowed: one word such as Bearer";

test.each<[object, string]>([
  [{ apiKey: "" }, "here.apiKey: allowed: a string that is not empty"],
  [{ apiKey: 7 }, "here.apiKey: allowed: a string that is not empty"],
  [{ apiKey: `${KEY} ` }, unfitKey],
  [{ apiKey: ` ${KEY}` }, unfitKey],
  [{ apiKey: `${KEY}\n` }, unfitKey],
  [{ apiKey: `${KEY}\xe9` }, unfitKey],
  [{ apiKey: KEY, authHeader: "" }, "here.authHeader: allowed: a string that is not empty"],
  [{ apiKey: KEY, authHeader: `Bearer ${KEY}` }, unfitHeader],
  [{ authHeader: "X:" }, unfitHeader],
  [{ apiKey: KEY, authScheme: `Bearer ${KEY}` }, unfitScheme],
])("the credential %j is refused, and the error names its setting", (settings, words) => {
  expect(wordsOfRefusal(() => headersWith(settings))).toBe(words);
});
