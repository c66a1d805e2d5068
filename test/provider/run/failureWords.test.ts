import { connectionOf } from "../../../provider/client/connection";
import { BadRequestError, StatusError, UnreachableError } from "../../../provider/client/errors";
import { RefusedError, UnfinishedError } from "../../../provider/failure";
import { connectionFrom } from "../../../provider/run/configuration";
import { failureWords } from "../../../provider/run/failureWords";
import { keepSecret } from "../../../provider/run/secrecy";

/** Each secret equals a word that the provider itself writes. */
keepSecret([
  "chat",
  "deployment",
  "baseUrl",
  "profileOverrides",
  "staging",
  "connection",
  "refused",
  "limit",
]);

const wordsOf = (action: () => unknown): string => {
  try {
    return `it gave ${action()}`;
  } catch (error) {
    return failureWords(error);
  }
};

test.each([
  [new RefusedError("chat is refused", 'deployment "chat"'), 'deployment "chat": [secret] is [secret]'],
  [new RefusedError("chat is refused"), "[secret] is [secret]"],
  [new UnfinishedError("d1", {}, "refused", 'deployment "chat"'), 'deployment "chat": [secret]'],
  [new BadRequestError("got chat", "limit"), "limit: got [secret]"],
])("%s: the place of an error is always shown, and secrets in its message are masked", (error, words) => {
  expect(failureWords(error)).toBe(words);
});

test.each<[object, string]>([
  [
    {},
    "baseUrl is not set: there is no default service. To set it, run `pulumi config set [secret]-control:[secret] https://…` or set DEPLOYMENT_CONTROL_BASE_URL",
  ],
  [
    { baseUrl: "chat" },
    'baseUrl: got "[secret]"; allowed: an http or https address without query, such as https://host.example/api',
  ],
  [
    { baseUrl: "https://host.example", profileOverrides: '{"wire": {"chat": "x"}}' },
    'profileOverrides.wire: "[secret]" is not a field; give a path such as sourceConfig.resourceSpec',
  ],
])("%j: the name of a setting is always shown, even if a secret equals it", (settings, words) => {
  const read = (key: string) => (settings as { [key: string]: string })[key];
  expect(wordsOf(() => connectionFrom(read, {}, undefined))).toBe(
    `configuration deployment-control: ${words}`,
  );
});

test("the connection that has the setting is always shown", () => {
  const connections = JSON.stringify({ staging: { baseUrl: "chat" } });
  const read = (key: string) => (key === "connections" ? connections : undefined);
  expect(wordsOf(() => connectionFrom(read, {}, "staging"))).toMatch(
    /^configuration deployment-control: connections\.staging\.baseUrl: got "\[secret\]"; allowed: /,
  );
  expect(wordsOf(() => connectionFrom(read, {}, "chat"))).toMatch(
    /^configuration deployment-control: connection: got "\[secret\]"; allowed: \[secret\]\. /,
  );
  const origin = { name: "staging", prefix: "connections.staging.", howToSet: "" };
  expect(wordsOf(() => connectionOf(origin, { chat: 1 } as never))).toContain(
    ": connections.staging.chat: is not a setting; ",
  );
});

test("an answer of the service is masked whole, and the error says what to do", () => {
  const place = { operation: "update deployment", method: "PATCH", url: "http://localhost/v2" };
  expect(failureWords(new StatusError(place, 422, "no chat").because("not sent again"))).toBe(
    "update [secret]: PATCH http://localhost/v2 answered 422: no [secret]; not sent again",
  );
  expect(failureWords(new StatusError(place, 404, ""))).toMatch(
    /answered 404\. If it was deleted on the service/,
  );
});

test.each([
  [
    false,
    /\. Check .* \(or DEPLOYMENT_CONTROL_BASE_URL\), that the service runs, .* doctor checks all of it$/,
  ],
  [true, /did not arrive$/],
])(
  "an unreached service: the error says what to check (perhaps applied: %s)",
  (mayHaveBeenApplied, words) => {
    const place = { operation: "list", method: "GET", url: "http://127.0.0.1:1/v2" };
    expect(failureWords(new UnreachableError(place, "did not arrive", mayHaveBeenApplied))).toMatch(words);
  },
);
