import { connectionOf } from "../../../provider/client/connection";
import { BadRequestError, StatusError, UnreachableError } from "../../../provider/client/errors";
import { RefusedError, UnfinishedError } from "../../../provider/failure";
import { connectionFrom } from "../../../provider/run/configuration";
import { failureWords } from "../../../provider/run/failureWords";
import { keepSecret } from "../../../provider/schema/secrecy";
import { thrown } from "../../support/thrown";

/** Each secret equals a word that the provider writes in its errors. */
keepSecret([
  "chatting",
  "deployment",
  "profileOverrides",
  "connections.staging",
  "connection",
  "is refused",
  "pageLimit",
]);

const GET = { operation: "list things", method: "GET", url: "https://host.example/v2/deployments" };

const wordsOf = (action: () => unknown): string => failureWords(thrown(action));

test.each([
  [
    new RefusedError("chatting is refused", 'deployment "chatting"'),
    'deployment "chatting": [secret] [secret]',
  ],
  [new RefusedError("chatting is refused"), "[secret] [secret]"],
  [new UnfinishedError("d1", {}, "is refused", 'deployment "chatting"'), 'deployment "chatting": [secret]'],
  [new BadRequestError("got chatting", "pageLimit"), "pageLimit: got [secret]"],
])("%s: an error always shows its resource or argument, and masks secrets in its message", (error, words) => {
  expect(failureWords(error)).toBe(words);
});

test.each<[object, string]>([
  [
    {},
    "baseUrl is not set: there is no default service. To set it, run `pulumi config set [secret]-control:baseUrl https://…` or set DEPLOYMENT_CONTROL_BASE_URL",
  ],
  [
    { baseUrl: "chatting" },
    'baseUrl: got "[secret]"; allowed: an http or https address without a query, such as https://host.example/api',
  ],
  [
    { baseUrl: "https://host.example", profileOverrides: '{"wire": {"chatting": "x"}}' },
    'profileOverrides.wire: "[secret]" is not a field; set a path such as sourceConfig.resourceSpec',
  ],
])("%j: the name of a setting is always shown, even if a secret equals the name", (settings, words) => {
  const read = (key: string) => (settings as { [key: string]: string })[key];
  expect(wordsOf(() => connectionFrom(read, {}, undefined))).toBe(
    `configuration deployment-control: ${words}`,
  );
});

test("an error always shows the connection that a faulty setting belongs to", () => {
  const connections = JSON.stringify({ staging: { baseUrl: "chatting" } });
  const read = (key: string) => (key === "connections" ? connections : undefined);
  expect(wordsOf(() => connectionFrom(read, {}, "staging"))).toMatch(
    /^configuration deployment-control: connections\.staging\.baseUrl: got "\[secret\]"; allowed: /,
  );
  expect(wordsOf(() => connectionFrom(read, {}, "chatting"))).toMatch(
    /^configuration deployment-control: connection: got "\[secret\]"; allowed: staging\. /,
  );
  const origin = { name: "staging", prefix: "connections.staging.", howToSet: "" };
  expect(wordsOf(() => connectionOf(origin, { chatting: 1 } as never))).toContain(
    ": connections.staging.chatting: is not a setting; ",
  );
});

test("an error about a service's answer is masked throughout, and says what to do", () => {
  const place = { operation: "update deployment", method: "PATCH", url: "http://localhost/v2" };
  expect(failureWords(new StatusError(place, 422, "no chatting").because("not sent again"))).toBe(
    "update [secret]: PATCH http://localhost/v2 answered 422: no [secret]; not sent again",
  );
  expect(failureWords(new StatusError(place, 404, ""))).toMatch(
    /answered 404\. If it was deleted on the service/,
  );
});

test.each<[string, Error, RegExp]>([
  [
    "nothing listens at the address",
    new UnreachableError(GET, "could not reach the service (ECONNREFUSED)", false),
    /\. Start it, or correct .*DEPLOYMENT_CONTROL_BASE_URL\)$/,
  ],
  [
    "the host does not exist",
    new UnreachableError(GET, "could not reach the service (ENOTFOUND)", false),
    /\. Run `npx .* doctor`, which checks the address and the network$/,
  ],
  ["its answer was lost", new UnreachableError(GET, "did not arrive", true), /did not arrive$/],
  [
    "the key is missing or wrong",
    new StatusError(GET, 401, ""),
    /401\. Set the service's key in .*DEPLOYMENT_CONTROL_API_KEY\); for a refresh or a destroy, set the variable$/,
  ],
  [
    "the key lacks the permission",
    new StatusError(GET, 403, ""),
    /403\. Set another key in .*DEPLOYMENT_CONTROL_API_KEY\); for a refresh or a destroy, set the variable$/,
  ],
  [
    "the path is wrong",
    new StatusError(GET, 404, ""),
    /\. Set .*DEPLOYMENT_CONTROL_BASE_URL\) to the address of the service's API$/,
  ],
  [
    "the base URL ends with a version",
    new StatusError({ ...GET, url: "https://host.example/v2/v2/deployments" }, 404, ""),
    /\. Leave out the version at the end of .*DEPLOYMENT_CONTROL_BASE_URL\)/,
  ],
])("if a request fails because %s, the error gives the likeliest remedy first", (_, error, words) => {
  expect(failureWords(error)).toMatch(words);
});
