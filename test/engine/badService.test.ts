import type { Fault } from "../../sdk/emulator/index";
import { blemishesOf, errorsOf, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment } from "../support/engine/form";
import { type Run, service, stackOn, type TestStack } from "../support/engine/stack";

const KEY = "key-never-shown";
const SECRET = 'sk-never/shown+"1=';
const LOST = "lost the connection (UND_ERR_SOCKET). If TLS is spoken there, write https:// in the address.";
const HTML = "an HTML page where JSON was expected; set the base URL to the address of the service's API.";

/** Declares one deployment for each name; the service has a fault for each deployment. */
const declare =
  (names: readonly string[], image = "i:1") =>
  (): void => {
    for (const name of names) {
      new Deployment(name, {
        name,
        source: "external_docker",
        sourceRevisionConfig: { imageUri: image },
        secrets: { TOKEN: SECRET },
      });
    }
  };

/** Returns the run's errors, sorted, without the service's address. Fails if an internal error or a secret is shown. */
function failuresOf(run: Run, stack: TestStack): string[] {
  expect(run.error).toBeDefined();
  expect(blemishesOf(run)).toEqual([]);
  expect(leaksIn(placesOf(stack, run), [SECRET, KEY])).toEqual([]);
  const errors = errorsOf(run).filter((error) => error !== "update failed");
  return errors
    .map((error) => error.replaceAll(stack.emulator.url, "URL").replace(/[0-9a-f-]{36}/g, "ID"))
    .sort();
}

const ANSWERS: { readonly [name: string]: Fault } = {
  unauthorized: { kind: "status", status: 401 },
  forbidden: { kind: "status", status: 403 },
  missing: { kind: "status", status: 404 },
  conflict: { kind: "status", status: 409, body: { detail: "That name is taken." } },
  refused: {
    kind: "status",
    status: 422,
    body: {
      detail: [{ loc: ["body", "secrets", 0, "value"], msg: `too weak: ${SECRET}`, type: "value_error" }],
    },
  },
  broken: { kind: "status", status: 500, body: "<html>Oops</html>" },
  portal: { kind: "html" },
  dropped: { kind: "drop-before" },
  lost: { kind: "drop-after" },
};
const NAMES = Object.keys(ANSWERS);
const CREDENTIAL = "Set another key in deployment-control:apiKey (or DEPLOYMENT_CONTROL_API_KEY)";

test("failed creations report their requests and answers, and the next update creates each missing deployment exactly once", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_API_KEY: KEY } });
  for (const fault of Object.values(ANSWERS)) emulator.failNext({ ...fault, match: { method: "POST" } });
  const run = await stack.up(declare(NAMES), { continueOnError: true });
  const post = "create deployment: POST URL/v2/deployments";
  const [answered, inDoubt] = [false, true].map((isInDoubt) =>
    failuresOf(run, stack).filter(
      (error) => error.includes("it is not known whether it was made") === isInDoubt,
    ),
  );
  expect(answered).toEqual([
    `${post} answered 401: Unauthorized. ${CREDENTIAL.replace("another key", "the service's key")}`,
    `${post} answered 403: Forbidden. ${CREDENTIAL}`,
    expect.stringMatching(
      / answered 404: Not Found\. Set deployment-control:baseUrl .* to the address of the service's API$/,
    ),
    `${post} answered 409: That name is taken.`,
    `${post} answered 422: secrets.0.value: too weak: [secret]`,
  ]);
  const again = " Run `pulumi up` again, which looks for it before it creates one";
  expect(inDoubt).toHaveLength(3);
  for (const why of [HTML, "answered 500: an HTML page.", LOST])
    expect(inDoubt).toContainEqual(expect.stringContaining(`${why}${again}`));
  // The service created this deployment, but the answer to the POST was lost, so the run takes over the deployment.
  expect(emulator.deployments().length).toBe(1);

  expect((await stack.up(declare(NAMES))).error).toBeUndefined();
  const createdNames = emulator.deployments().map(({ name }) => name);
  expect(createdNames.sort()).toEqual([...NAMES].sort());
  expect((await stack.preview(declare(NAMES))).steps).toEqual({});
});

test("failed updates lose no change and make no revision twice", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_API_KEY: KEY } });
  expect((await stack.up(declare(NAMES))).error).toBeUndefined();
  for (const fault of Object.values(ANSWERS)) emulator.failNext({ ...fault, match: { method: "PATCH" } });
  const run = await stack.up(declare(NAMES, "i:2"), { continueOnError: true });
  const patch = "update deployment: PATCH URL/v2/deployments/ID";
  expect(failuresOf(run, stack)).toEqual([
    `${patch} answered 401: Unauthorized. ${CREDENTIAL.replace("another key", "the service's key")}`,
    `${patch} answered 403: Forbidden. ${CREDENTIAL}`,
    `${patch} answered 404: Not Found. If it was deleted on the service, run \`pulumi refresh\``,
    `${patch} answered 409: That name is taken.`,
    `${patch} answered 422: secrets.0.value: too weak: [secret]`,
  ]);
  const images = () => emulator.deployments().map(({ revisions }) => revisions.length);
  expect(images().filter((count) => count === 2).length).toBe(4);
  expect((await stack.up(declare(NAMES, "i:2"))).error).toBeUndefined();
  expect(images()).toEqual(NAMES.map(() => 2));
  expect((await stack.preview(declare(NAMES, "i:2"))).steps).toEqual({});
});
