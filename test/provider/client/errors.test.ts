import {
  BadRequestError,
  isConflict,
  isForbidden,
  isNotFound,
  isQueryRefused,
  isRunRefused,
  isUnauthorized,
  isUnsupported,
  mayHaveBeenApplied,
  RunFailedError,
  RunRefusedError,
  ServiceError,
  StatusError,
  UnexpectedAnswerError,
  UnreachableError,
} from "../../../provider/client/errors";

const place = {
  operation: "update deployment",
  method: "PATCH",
  url: "https://host.example/v2/deployments/1",
};
const PLACE = "update deployment: PATCH https://host.example/v2/deployments/1";
const refused = (status: number): StatusError => new StatusError(place, status, "busy");

test("every failure of a request names the operation, method and address, and is a ServiceError", () => {
  const cause = new Error("reset");
  const failures = [
    refused(503),
    new RunRefusedError(place, refused(409)),
    new RunFailedError(place, "ValueError", "no such tool"),
    new UnreachableError(place, "lost the connection", true, cause),
    new UnexpectedAnswerError(place, "with no page"),
  ];
  expect(failures.map((failure) => [failure.name, failure.message])).toEqual([
    ["StatusError", `${PLACE} answered 503: busy`],
    ["RunRefusedError", `${PLACE} answered 409: busy`],
    ["RunFailedError", `${PLACE} answered that the run failed: ValueError: no such tool`],
    ["UnreachableError", `${PLACE} lost the connection`],
    ["UnexpectedAnswerError", `${PLACE} answered with no page`],
  ]);
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject(place);
  }
  expect(failures[3]?.cause).toBe(cause);
});

test("if a failed request is not sent again, the failure's message says why", () => {
  const failure = refused(503);
  expect(failure.because("the service asks to wait 700 s")).toBe(failure);
  expect(failure.message).toBe(`${PLACE} answered 503: busy; the service asks to wait 700 s`);
});

test("a refusal without a message shows only its status", () => {
  const failure = new StatusError(place, 404, "");
  expect(failure.message).toBe(`${PLACE} answered 404`);
  expect(failure).toMatchObject({ status: 404, detail: "", retryAfterSeconds: undefined, inJson: false });
});

test("the error about a refused run has a default message, and says that the run was certainly not accepted", () => {
  const wordless = new RunRefusedError(place, new StatusError(place, 409, "", 3, true));
  expect(wordless.message).toBe(`${PLACE} answered 409: another run is in progress on the thread`);
  expect(wordless).toMatchObject({ status: 409, retryAfterSeconds: 3, inJson: true });
  expect(mayHaveBeenApplied(new RunRefusedError(place, refused(503)))).toBe(false);
});

test.each([
  ["ValueError", "", "ValueError"],
  ["", "no such tool", "no such tool"],
  ["", "", ""],
])(
  "the message about a failed run with error %j and message %j has no empty parts",
  (error, detail, words) => {
    const failure = new RunFailedError(place, error, detail);
    expect(failure.message).toBe(`${PLACE} answered that the run failed: ${words}`);
    expect(failure).toMatchObject({ error, detail });
  },
);

test("the error about an answer that breaks the contract shows the answer's status, if known", () => {
  const answered = new UnexpectedAnswerError({ ...place, status: 201 }, "with no page");
  expect([answered.message, answered.status]).toEqual([`${PLACE} answered 201 with no page`, 201]);
  expect(new UnexpectedAnswerError(place, "with no page").status).toBeUndefined();
});

test.each<[unknown, boolean]>([
  [refused(400), false],
  [refused(404), false],
  [refused(407), false],
  [refused(408), true],
  [refused(409), false],
  [refused(499), false],
  [refused(500), true],
  [refused(503), true],
  [new UnreachableError(place, "lost the connection", true), true],
  [new UnreachableError(place, "could not reach the service", false), false],
  [new UnexpectedAnswerError(place, "with no page"), true],
  [new RunFailedError(place, "ValueError", ""), true],
  [new BadRequestError("name: is missing"), false],
  [{ mayHaveBeenApplied: true }, false],
  [undefined, false],
])("after %s the request may have been applied: %s", (error, may) => {
  expect(mayHaveBeenApplied(error)).toBe(may);
});

test("a request that the client refuses to send is not a ServiceError", () => {
  const error = new BadRequestError("name: is missing");
  expect([error.name, error.message]).toEqual(["BadRequestError", "name: is missing"]);
  expect(error).not.toBeInstanceOf(ServiceError);
});

test.each([
  ["isNotFound", isNotFound, [404]],
  ["isConflict", isConflict, [409]],
  ["isForbidden", isForbidden, [403]],
  ["isUnauthorized", isUnauthorized, [401]],
  ["isQueryRefused", isQueryRefused, [400, 404, 414, 422]],
  ["isUnsupported", isUnsupported, [404, 405, 501]],
] as const)("%s recognizes its statuses, but only in a StatusError", (_, asks, statuses) => {
  const all = [400, 401, 403, 404, 405, 409, 410, 414, 422, 429, 500, 501, 503];
  expect(all.filter((status) => asks(refused(status)))).toEqual(statuses);
  expect(asks({ status: statuses[0] })).toBe(false);
  expect(asks(new UnexpectedAnswerError({ ...place, status: statuses[0] }, "with no page"))).toBe(false);
});

test("`isRunRefused` recognizes a refused run, but no other refusal", () => {
  expect(isRunRefused(new RunRefusedError(place, refused(422)))).toBe(true);
  expect(isRunRefused(refused(409))).toBe(false);
});
