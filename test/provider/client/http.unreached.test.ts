import { UnreachableError } from "../../../provider/client/errors";
import { Http } from "../../../provider/client/http";
import { RetryQuota } from "../../../provider/client/retry";
import { failureOf, turnedClock } from "../../support/httpServer";

/** The network error that the mock throws for each request, because no test can cause the error on a real machine. */
let fault: unknown;
let sent = 0;
jest.mock("undici", () => ({
  Agent: class {
    async request() {
      sent += 1;
      throw fault;
    }
    async close() {}
  },
}));

beforeEach(() => {
  sent = 0;
});

async function failureOfCreation(error: unknown): Promise<Error> {
  fault = error;
  const http = new Http({
    baseUrl: "https://service.example.test",
    headers: {},
    requestTimeoutSeconds: 10,
    maxRetries: 2,
    maxConcurrency: 1,
    clock: turnedClock(),
    quota: new RetryQuota(),
  });
  return failureOf(http.send({ operation: "create", method: "POST", path: "/v2/deployments", body: {} }));
}
const coded = (code: string) => Object.assign(new Error("words"), { code });
const REMEDY = ". Set NODE_EXTRA_CA_CERTS to the file of its authority's certificate, or correct the address";
const PLACE = "create: POST https://service.example.test/v2/deployments";

test.each([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
])(
  "%s occurs before anything is sent: a creation is retried, and has certainly created nothing",
  async (code) => {
    const error = await failureOfCreation(coded(code));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ mayHaveBeenApplied: false, cause: { code } });
    const remedy = /CERT/.test(code)
      ? REMEDY
      : code === "ENOTFOUND"
        ? ". No such host is known: correct the address"
        : "";
    expect([error.message, sent]).toEqual([`${PLACE} could not reach the service (${code})${remedy}`, 3]);
  },
);

test.each<[unknown, string]>([
  [coded("ECONNRESET"), "ECONNRESET"],
  [coded("UND_ERR_SOCKET"), "UND_ERR_SOCKET"],
  [coded(""), ""],
  [new Error("other side closed"), "other side closed"],
  [{}, "unknown"],
])("after %j a creation may have been applied, so it is not sent again", async (error, words) => {
  const failure = await failureOfCreation(error);
  expect(failure).toMatchObject({ mayHaveBeenApplied: true });
  expect([failure.message, sent]).toEqual([`${PLACE} lost the connection (${words})`, 1]);
});
