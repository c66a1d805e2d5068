/** The page of the embedded service's control calls, made from the tables that the service uses to answer the calls. */
import type { Rows } from "../../../provider/fields/kind";
import { CONTROL_CALLS } from "../../../sdk/emulator/control";
import * as rowTables from "../../../sdk/emulator/controlRows";
import { membersOf, propertiesOf, proseOf } from "./declarations";
import { initialOf, typeOf } from "./fields";
import { code, page, table, withDefault } from "./markdown";

export const CONTROL_PAGE = "control-calls.md";

const CONTROL = "sdk/emulator/control.ts";
const ROWS = "sdk/emulator/controlRows.ts";
const ID = "3f9c2a10-7c1e-4d52-9f0b-6c2d9e1f8a44";

/** An example body for each call; a test sends each body to a service that has the deployment. */
const EXAMPLES: { readonly [path: string]: object } = {
  push: { deploymentId: ID, repoRef: "main" },
  change: { deploymentId: ID, patch: { source_config: { build_on_push: true } } },
  settle: { deploymentId: ID, status: "DEPLOY_FAILED", message: "the container exits with 1" },
  remove: { deploymentId: ID },
  listeners: { compute_id: "production", compute_config: { k8s_namespaces: ["agents"] } },
  repositories: {
    integrationId: "9b1d6a52-0f7e-4a55-8a1c-2f6f0f0f7c11",
    repositories: [{ owner: "acme", name: "support-agent", default_branch: "main" }],
  },
  tokens: { id: "repohost-1", provider_account_label: "acme", is_default: true },
  seed: { count: 250 },
  fail: {
    kind: "status",
    status: 503,
    times: 2,
    match: { method: "PATCH", pathPattern: "^/v2/deployments/" },
  },
  behaviour: { patch: "replace", revisionSeconds: 0.5 },
};

/** The sentence about the members that a body takes in addition to its rows. */
const FURTHER: { readonly [path: string]: string } = {
  listeners: further("sdk/emulator/resources/listeners.ts", "NewListener", "the listener's", "compute_id"),
  repositories: further(
    "sdk/emulator/resources/repositories.ts",
    "StoredRepository",
    "each repository's",
    "owner",
    "name",
  ),
  tokens: further("sdk/emulator/resources/tokens.ts", "StoredToken", "the token's", "id"),
  behaviour: "The members are the options of the second table of [startEmulator](start-emulator.md#options).",
};

function further(file: string, type: string, whose: string, ...required: readonly string[]): string {
  const names = membersOf(file, type).map(({ name }) => name);
  const optional = names.filter((name) => !required.includes(name)).map(code);
  return `Also allowed, in ${whose} own wire names: ${optional.join(", ")}.`;
}

export function controlPage(): string {
  return page(
    "# Control calls",
    "Calls to the [embedded service](emulator.md) that a real service does not have. They simulate a push, a fault or an operator's change. Their paths begin with `/_emulator/`; in a test of the same process they are [methods](start-emulator.md#what-it-gives).",
    "If the service has a key (`--api-key`), each call needs it; without one, only calls from the same machine are answered. A `POST` takes JSON, and refuses what it does not know with 422 and the reason:",
    `\`\`\`text\ncurl -s http://127.0.0.1:8123/_emulator/fail -H 'X-Api-Key: local-key' -H 'content-type: application/json' \\\n  -d '{"kind": "revision", "status": "DEPLOY_FAILED"}'\n\`\`\``,
    ...CONTROL_CALLS.map(sectionOf),
  );
}

function sectionOf(call: (typeof CONTROL_CALLS)[number]): string {
  const heading = `## ${code(`${call.method} /_emulator/${call.path}`)}`;
  if (call.method === "GET") {
    const reading = propertiesOf(CONTROL, "readings").find(({ name }) => name === call.path);
    return page(heading, reading?.prose).trim();
  }
  const example = EXAMPLES[call.path];
  if (example === undefined) throw new Error(`the control call ${call.path} has no example`);
  return page(
    heading,
    call.path === "behaviour" ? proseOf(CONTROL, "changeBehaviour") : operationProse(call.path),
    bodyTable(call.rows),
    FURTHER[call.path],
    `\`\`\`json\n${oneLine(example)}\n\`\`\``,
    call.path === "fail"
      ? proseOf("sdk/emulator/faults.ts", "Fault").replace(/^A fault to inject\.\s*/, "")
      : "",
  ).trim();
}

const oneLine = (value: object): string => JSON.stringify(value, undefined, 1).replace(/\n\s*/g, " ");

/** The prose above the control operation with this path. */
function operationProse(path: string): string {
  const operation = propertiesOf(CONTROL, "operations").find(({ signature }) =>
    new RegExp(`operation\\(\\s*"${path}"`).test(signature),
  );
  return operation?.prose ?? "";
}

/** The words for the types of members that have fields. */
const COMPOSED: { readonly [member: string]: string } = { match: "object", repositories: "list of objects" };

function bodyTable(rows: Rows): string {
  const [constant] = Object.entries(rowTables).find(([, each]) => each === rows) ?? [];
  if (constant === undefined) return "";
  const members = propertiesOf(ROWS, constant).map(({ name, prose: whole }) => {
    const row = rows[name] as Rows[string];
    const type = COMPOSED[name] ?? typeOf(row.kind);
    return [code(name), type, initialOf(row, whole), withDefault(whole).prose];
  });
  return table(["member", "type", "default", "what it is"], members);
}
