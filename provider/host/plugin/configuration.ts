/** The configuration of a provider resource: the stack's for the default one, the program's for an explicit one. */
import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { holdsKey, openKeyWords } from "../../client/headers";
import { RefusedError } from "../../failure";
import type { Fault } from "../../fields/check";
import { environmentName, isEnginesProvider, NAME, settingName } from "../../fields/naming";
import {
  CONFIGURATION_KEYS,
  CONNECTION_KEYS,
  type ConnectionKey,
  configurationRows,
  connectionRows,
} from "../../fields/settings";
import { isProperties, jsonIn, type Properties } from "../../fields/value";
import { suggestion } from "../../fields/words";
import { type ConfigurationSource, nonEmpty, settingFrom } from "../../run/configuration";
import { type Bag, bagIn } from "./wire";

/** Inputs of a provider that belong to the engine. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/** The values are checked where a connection is made of them. */
export function unknownSettings({ values }: Bag): Fault[] {
  const keys = Object.keys(values).filter((key) => !ENGINES_OWN.includes(key) && !key.startsWith("__"));
  const strays = keys.filter((key) => !Object.hasOwn(configurationRows, key));
  return strays.map((key) => ({
    path: [`configuration ${settingName(key)}`],
    words: `is not a setting; ${suggestion(key, CONFIGURATION_KEYS)}`,
  }));
}

/** One sentence for each key in clear. Only `Configure` can tell: `CheckConfig` gets no marks of secrets. */
export function openKeys({ values, secrets }: Bag): string[] {
  const isMarked = (key: string): boolean => secrets.some(([name]) => name === key);
  const open = Object.keys(values).filter((key) => holdsKey(key, values[key]) && !isMarked(key));
  return open.map((key) => openKeyWords(settingName(key)));
}

/** The headers in settings that are marked secret, whatever the headers are called. */
export function secretHeaders({ values, secrets }: Bag): unknown[] {
  const marked = (key: string) => (secrets.some(([name]) => name === key) ? objectIn(values[key]) : {});
  const connections = Object.values(marked("connections")).map(objectIn);
  return [marked("headers"), ...connections.map(({ headers }) => objectIn(headers))];
}

/** An object, or the one that its JSON stands for; empty for anything else. */
function objectIn(value: unknown): Properties {
  const content = typeof value === "string" ? jsonIn(value) : value;
  return isProperties(content) ? content : {};
}

const variableName = (key: string): string => `${NAME}:config:${key}`;

/** The settings that decide where a key goes. */
const AIM = ["baseUrl", "apiKey", "authHeader", "authScheme", "headers", "connections"] as const;

/** The settings of a provider, as text: JSON where one has a structure. */
export interface Settings {
  readonly source: ConfigurationSource;
  readonly environment: NodeJS.ProcessEnv;
}

interface TakenSettings extends Settings {
  /** Whether keys go elsewhere than before. */
  readonly turns: boolean;
  /** The environment's settings that do not count, although the program gives no others. */
  readonly unused: readonly ConnectionKey[];
}

/**
 * Decides which settings a process takes. Every user of the machine can call it: the engine's own process keeps its
 * first goal, and one that was started by hand sends the environment's credentials to the first base URL alone.
 */
export class Admission {
  readonly #isEngines: boolean;
  #aim: string | undefined;
  #baseUrlOfEnvironment: string | undefined;

  constructor(isEngines: boolean) {
    this.#isEngines = isEngines;
  }

  /** Throws a RefusedError once the engine has configured its own process. */
  refuseAttach(): void {
    if (this.#isEngines && this.#aim !== undefined) throw new RefusedError(CONFIGURED);
  }

  /** Throws a RefusedError for another base URL or other credentials than those of the engine's own process. */
  settings(request: ConfigureRequest): TakenSettings {
    const variables = request.getVariablesMap();
    const source = (key: string) => variables.get(variableName(key));
    const isProvided = (key: string) => nonEmpty(source(key)) !== undefined;
    const isApart = isExplicit(request) && isProvided("baseUrl");
    const environment =
      isApart || this.#isSecond(source) ? withoutConnection(process.env, isProvided) : process.env;
    const aim = JSON.stringify(AIM.map((key) => settingFrom(source, environment, key) ?? null));
    const turns = this.#aim !== undefined && this.#aim !== aim;
    if (turns && this.#isEngines) throw new RefusedError(CONFIGURED);
    this.#aim = aim;
    const isDropped = (name: string) => nonEmpty(process.env[name]) !== nonEmpty(environment[name]);
    const unused = CONNECTION_KEYS.filter((key) => isDropped(environmentName(key)) && !isProvided(key));
    return { source, environment, turns, unused };
  }

  /** Whether a process that was started by hand has used the environment for another base URL. */
  #isSecond(source: ConfigurationSource): boolean {
    const baseUrl = settingFrom(source, process.env, "baseUrl");
    this.#baseUrlOfEnvironment ??= baseUrl;
    return !this.#isEngines && baseUrl !== this.#baseUrlOfEnvironment;
  }
}

const CONFIGURED = "this process has been configured already, and keeps its engine, base URL and credentials";

/** Whether the program made the provider. */
function isExplicit(request: ConfigureRequest): boolean {
  const name = request.getName() ?? "";
  return name !== "" && !isEnginesProvider(name, bagIn(request.getArgs()).values.version);
}

/** The environment without its connection, and without what the program gives. Its `forbid` holds for every service. */
function withoutConnection(environment: NodeJS.ProcessEnv, isProvided: (key: string) => boolean) {
  const rest = { ...environment };
  for (const key of CONFIGURATION_KEYS) {
    const name = environmentName(key);
    const isForbidding = key === "newRevisions" && environment[name]?.trim() === "forbid";
    if (!isForbidding && (Object.hasOwn(connectionRows, key) || isProvided(key))) delete rest[name];
  }
  return rest;
}

/** For a program that relied on the environment. */
export const unusedWords = (unused: readonly ConnectionKey[]): string =>
  `the environment's connection is another service's, so this provider does without ${unused.map(environmentName).join(", ")}. If its service needs them, give the provider ${unused.join(", ")}`;
