/** A program that sends one request to the address, and prints the answer or the error: `sentRequest ADDRESS`. */
import { Http } from "../../provider/client/http";

const http = new Http({
  baseUrl: process.argv[2] as string,
  headers: {},
  requestTimeoutSeconds: 5,
  maxRetries: 0,
  maxConcurrency: 1,
});
http
  .send({ operation: "list", method: "GET", path: "/v2/deployments" })
  .then(
    ({ body }) => process.stdout.write(JSON.stringify(body)),
    (error: Error) => process.stdout.write(error.message),
  )
  .finally(() => http.close());
