/**
 * A client and a provider that send their requests to the embedded service under the profile `langsmith`. Each request
 * and answer can be checked against the public service's OpenAPI document.
 */
import { ControlClient } from "../../provider/client";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../provider/schema/deployment";
import type { Properties } from "../../provider/schema/value";
import { sessionOn } from "../support/providerRun";
import { PublicDocument } from "./document";
import { type Exchanging, exchanging } from "./exchanging";
import { sampleOfRows, UUID } from "./samples";

export const KEY = "key-of-the-tests";
export const TOKEN = "token";

/** The fields to send for each source. Except for `buildOnPush`, every field is in the list of at least one source. */
const BY_SOURCE = {
  repohost: {
    config: ["integrationId", "repoUrl", "deploymentType", "installCommand", "buildCommand"],
    revision: ["repoRef", "graphConfigPath"],
  },
  external_docker: {
    config: ["customUrl", "resourceSpec", "listenerId", "listenerConfig"],
    revision: ["imageUri"],
  },
  internal_source: { config: [], revision: ["graphConfigPath", "sourceTarballPath"] },
  internal_docker: { config: [], revision: [] },
  internal_template: { config: ["templateId"], revision: [] },
} as const;
export type Source = keyof typeof BY_SOURCE;

/** A deployment's arguments, with every field that goes with the source. */
export function argumentsFor(source: Source): Properties {
  const { config, revision } = BY_SOURCE[source];
  const { secrets, secretReferences } = sampleOfRows(deploymentRows);
  return {
    name: `from-${source}`,
    source,
    sourceConfig: {
      ...sampleOfRows(sourceConfigRows, config),
      ...(source === "repohost" ? { buildOnPush: false } : {}),
    },
    sourceRevisionConfig: sampleOfRows(sourceRevisionConfigRows, revision),
    secrets,
    ...(source === "external_docker" ? { secretReferences } : {}),
  };
}

const clients: ControlClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** Starts the service for one test, and returns a client and a provider that use it. */
export async function service() {
  const between = await exchanging("langsmith", { apiKey: KEY });
  between.emulator.addToken({ id: TOKEN, provider_id: "github" });
  between.emulator.addRepositories(UUID, [{ owner: "acme", name: "agent" }]);
  const settings = {
    baseUrl: between.url,
    profile: "langsmith",
    headers: JSON.stringify({ "X-Api-Key": KEY }),
  };
  /** Starts a new run of the provider with the same settings. */
  const session = () => sessionOn(between.emulator, settings).session;
  const client = new ControlClient({
    ...settings,
    headers: { "X-Api-Key": KEY },
    profile: "langsmith",
    maxRetries: 0,
  });
  clients.push(client);
  return { ...between, client, session };
}

export const SOURCES = Object.keys(BY_SOURCE) as Source[];

export const document = new PublicDocument();

/** Fails if an exchange does not match the document; otherwise returns the operations that the exchanges used. */
export function judged({ exchanges }: Exchanging): Set<string> {
  const verdicts = exchanges.map((exchange) => document.judge(exchange));
  expect([...new Set(verdicts.flatMap(({ faults }) => faults))]).toEqual([]);
  return new Set(verdicts.flatMap(({ matched }) => matched ?? []));
}
