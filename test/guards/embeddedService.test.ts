/**
 * Checks the embedded service and the provider against two sources that are independent of the rows: the contract's
 * list, copied by hand, and the recording of the public service's API document. The embedded service must refuse each
 * body that breaks a schema from the two sources, and name the broken place. The provider must never send a body that
 * breaks a schema.
 */
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { faultsOf } from "../../provider/deployment/arguments";
import { createBody } from "../../provider/deployment/request";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentRows } from "../../provider/schema/deployment";
import type { Properties } from "../../provider/schema/value";
import { rowsFromWire } from "../../provider/schema/wire";
import { type Answer, answerToError, type Detail } from "../../sdk/emulator/http/message";
import { addListener } from "../../sdk/emulator/resources/listeners";
import { addToken } from "../../sdk/emulator/resources/tokens";
import { Router } from "../../sdk/emulator/router";
import { newService } from "../../sdk/emulator/service";
import { type Breach, breachesOf, type Schema, wholeOf } from "../endpoints/breaches";
import { PublicDocument } from "../endpoints/document";
import { controlEndpoints, type Shape } from "./contractList";
import { bodies, queries } from "./contractRows";

type ProfileName = "contract" | "langsmith";

const document = new PublicDocument();

/** The schema of each type in the contract's list; a type that is not a key here is a list of an enum's values. */
const TYPES: { readonly [word: string]: Schema } = {
  string: { type: "string" },
  uuid: { type: "string", format: "uuid" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  object: { type: "object", additionalProperties: true },
  any: {},
};

/** The contract's list does not mention null, so null is allowed for every value. */
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

function schemaOf(shape: Shape): Schema {
  if (typeof shape === "string") return TYPES[shape] ?? { enum: shape.split(" | ") };
  if (Array.isArray(shape)) return { type: "array", items: orNull(schemaOf(shape[0] as Shape)) };
  const members = Object.entries(shape).map(([name, each]) => [name, orNull(schemaOf(each))]);
  return { type: "object", properties: Object.fromEntries(members), additionalProperties: false };
}

const ENDPOINTS = [
  ["POST", "/v2/deployments"],
  ["PATCH", "/v2/deployments/{deployment_id}"],
  ["POST", "/v2/deployments/{deployment_id}/revisions"],
  ["POST", "/v2/listeners"],
  ["PATCH", "/v2/listeners/{listener_id}"],
  ["PATCH", "/v2/auth/tokens/{token_id}/metadata"],
] as const;

const witnesses: [profile: ProfileName, endpoint: string, schema: Schema][] = ENDPOINTS.flatMap(
  ([method, path]) => {
    const endpoint = `${method} ${path}`;
    const shape = bodies[endpoint];
    const listed: typeof witnesses = shape === undefined ? [] : [["contract", endpoint, schemaOf(shape)]];
    return [...listed, ["langsmith", endpoint, document.bodyOf(method, path)]];
  },
);

/** Returns a function that sends a body to the endpoint. The service has one resource of each kind. */
async function asking(name: ProfileName, endpoint: string): Promise<(body: unknown) => Promise<Answer>> {
  const service = newService(PROFILES[name] as Profile, { revisionSeconds: 0 });
  const router = new Router(service);
  const ask = (method: string, path: string, body: unknown): Promise<Answer> =>
    router
      .answer(
        { method, path, query: new URLSearchParams(), key: undefined, body: () => body },
        async () => {},
      )
      .catch(answerToError);
  addToken(service, { id: "token" });
  const { id: listener } = addListener(service, { compute_id: "cluster" });
  const image = { name: "one", source: "internal_docker" };
  const sections = { source_config: {}, source_revision_config: {}, secrets: [] };
  const { body: deployment } = await ask("POST", "/v2/deployments", { ...image, ...sections });
  const ids: { readonly [name: string]: unknown } = {
    deployment_id: (deployment as Properties).id,
    listener_id: listener,
    token_id: "token",
  };
  const [method, template] = endpoint.split(" ") as [string, string];
  const path = template.replace(/\{(\w+)\}/, (_, parameter) => String(ids[parameter]));
  return (body) => ask(method, path, body);
}

/** Whether the answer refuses the body and names the path of the breach. */
const refuses = ({ status, body }: Answer, { path }: Breach): boolean =>
  status === 422 &&
  (body as { detail: Detail[] }).detail.some(({ loc }) => {
    const place = loc.slice(1).filter((each) => typeof each === "string");
    return place.join(".") === path;
  });

const named = ({ path, what }: Breach): string => `${path} ${what}`;

const judges = new Ajv2020({ strict: false, allErrors: true });
addFormats(judges);

describe.each(witnesses)("%s: %s", (profile, endpoint, schema) => {
  const breaches = breachesOf(schema);
  const fits = judges.compile(schema);

  test("each broken body breaks the schema, and the body with every field matches the schema", () => {
    expect(breaches.filter(({ value }) => fits(value)).map(named)).toEqual([]);
    expect(fits(wholeOf(schema))).toBe(true);
    expect(breaches.length).toBeGreaterThanOrEqual(5);
  });

  test("the embedded service refuses every broken body and names the broken place", async () => {
    const askWith = await asking(profile, endpoint);
    const accepted: string[] = [];
    for (const breach of breaches)
      if (!refuses(await askWith(breach.value), breach)) accepted.push(named(breach));
    expect(accepted).toEqual([]);
  });
});

test.each(witnesses.filter(([, endpoint]) => !endpoint.includes("/v2/deployments")))(
  "under the profile %s, %s accepts a body with every field",
  async (profile, endpoint, schema) => {
    const askWith = await asking(profile, endpoint);
    const whole = wholeOf(schema) as Properties;
    const { status } = await askWith(whole);
    expect([200, 201]).toContain(status);
  },
);

test.each(witnesses.filter(([, endpoint]) => endpoint === "POST /v2/deployments"))(
  "under the profile %s, the provider sends no body that breaks the schema of %s",
  (name, _, schema) => {
    const profile = PROFILES[name] as Profile;
    const fits = judges.compile(schema);
    const faults = (body: unknown) =>
      faultsOf(argumentsIn(body, profile), profile, () => false, "creation").map(({ path, words }) =>
        [...path, words].join(" "),
      );
    const ofTheWhole = faults(wholeOf(schema));
    const sentBreaches = breachesOf(schema).filter(({ value }) => {
      const isRefused = faults(value).some((fault) => !ofTheWhole.includes(fault));
      return !isRefused && !fits(createBody(argumentsIn(value, profile), profile));
    });
    expect(sentBreaches.map(named)).toEqual([]);
  },
);

const argumentsIn = (body: unknown, profile: Profile): Properties =>
  rowsFromWire(deploymentRows, body, profile);

/** A line for each endpoint, and a line for each of its query parameters. */
const rowsOf = (endpoints: readonly { endpoint: string; query: readonly string[] }[]): string[] =>
  endpoints
    .flatMap(({ endpoint, query }) => [endpoint, ...query.map((name) => `${endpoint} ?${name}`)])
    .sort();

/** The control endpoints that the embedded service has under the profile, as lines. */
function served(profile: ProfileName): string[] {
  const { routes } = new Router(newService(PROFILES[profile] as Profile, {}));
  const control = routes.filter(({ template }) => !template.startsWith("/runtime/"));
  return rowsOf(
    control.map(({ method, template, query = {} }) => ({
      endpoint: `${method} ${template}`,
      query: Object.keys(query),
    })),
  );
}

/** Operations of the public service that no client of ours calls, and that the embedded service therefore lacks. */
const NOT_CALLED = [
  "DELETE /v2/deployments",
  "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy",
  "GET /v1/integrations/forge/github/install",
];
/**
 * Whether the embedded service must have the endpoint. The embedded service has only two endpoints of the token API:
 * the metadata of a token, and the list of a caller's tokens, which a test reads.
 */
const isOurs = ({ endpoint }: { endpoint: string }): boolean =>
  !NOT_CALLED.includes(endpoint) &&
  (!/ \/v2\/auth\/(?!tokens\/\{token_id\}\/metadata$)/.test(endpoint) || endpoint === "GET /v2/auth/tokens");
/** Only newer services have these endpoints, so the recording lacks them. */
const NEWER = [
  "POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs",
  "POST /v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs",
];

test("the embedded service has exactly the recorded operations that we call, with their parameters", () => {
  expect(served("langsmith")).toEqual([...rowsOf(document.operations.filter(isOurs)), ...NEWER].sort());
});

test("the embedded service has exactly the endpoints of the contract, with their filters", () => {
  const endpoints = controlEndpoints.map((endpoint) => ({ endpoint, query: queries[endpoint] ?? [] }));
  expect(served("contract")).toEqual(rowsOf(endpoints));
});
