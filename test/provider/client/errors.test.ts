import {
  BadRequestError,
  isConflict,
  isForbidden,
  isNotFound,
  isQueryRefused,
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
])("after %s, the request may have been applied: %s", (error, may) => {
  expect(mayHaveBeenApplied(error)).toBe(may);
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
