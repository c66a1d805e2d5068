/** The configuration of a provider, from the stack or, for an explicit provider, from the program. */
import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { holdsKey, plaintextKeyMessage } from "../../client/headers";
import { RefusedError } from "../../failure";
import { type ConfigurationSource, environmentOf, settingFrom } from "../../run/configuration";
import type { Fault } from "../../schema/check";
import { isEnginesProvider, NAME, projectIn, settingName } from "../../schema/naming";
import { printable } from "../../schema/secrecy";
import { CONFIGURATION_KEYS, isStraySetting } from "../../schema/settings";
import { suggestion } from "../../schema/words";
import type { Bag } from "../marks";
import { bagIn } from "./wire";

/** Inputs of a provider that belong to the engine and are not settings. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/** A fault for each setting with an unknown name. The connection checks the values later. */
export function unknownSettings({ values }: Bag, urn: string): Fault[] {
  const keys = Object.keys(values).filter((key) => !ENGINES_OWN.includes(key) && !key.startsWith("__"));
  const strays = keys.filter((key) => isStraySetting(key, projectIn(urn)));
  return strays.map((key) => ({
    path: [`configuration ${settingName(key)}`],
    words: `is not a setting; ${suggestion(key, CONFIGURATION_KEYS)}`,
  }));
}

const isSecret = (key: string, secrets: Bag["secrets"]): boolean => secrets.some(([name]) => name === key);

/** One sentence for each setting with a key in plaintext. Not usable in `CheckConfig`, which gets no secret marks. */
export function openKeys(request: ConfigureRequest): string[] {
  const { values, secrets } = bagIn(request.getArgs());
  const isOpen = (key: string): boolean => holdsKey(key, values[key]) && !isSecret(key, secrets);
  const provider = explicitName(request, values);
  return Object.keys(values)
    .filter(isOpen)
    .map((key) =>
      provider === undefined
        ? plaintextKeyMessage(settingName(key))
        : `provider "${provider}": ${key} holds a key but is not a secret, so the state holds it in plaintext. Wrap it in pulumi.secret(), and replace the key if an update has stored it`,
    );
}

/** The name of a provider that the program declares; undefined for the engine's own provider. */
function explicitName(request: ConfigureRequest, { version }: Bag["values"]): string | undefined {
  const name = request.getName() ?? "";
  return name === "" || isEnginesProvider(name, version) ? undefined : printable(name);
}

/** The settings that decide which key is sent to which service. */
const AIM = ["baseUrl", "apiKey", "authHeader", "authScheme", "headers", "connections"] as const;

/** The settings of a provider as strings. Structured settings are JSON. */
export interface Settings {
  readonly source: ConfigurationSource;
  readonly environment: NodeJS.ProcessEnv;
}

/** Binds the process to its first service and credentials, because every user of the machine can call the process. */
export class Admission {
  readonly #isEngines: boolean;
  #aim: string | undefined;

  constructor(isEngines: boolean) {
    this.#isEngines = isEngines;
  }

  /** Throws a RefusedError if the engine has already configured this process. */
  refuseAttach(): void {
    if (this.#isEngines && this.#aim !== undefined) throw new RefusedError(CONFIGURED);
  }

  /** Throws a RefusedError if the request's settings change where keys are sent. */
  settings(request: ConfigureRequest): Settings {
    const variables = request.getVariablesMap();
    const { values, secrets } = bagIn(request.getArgs());
    const source = Object.assign((key: string) => variables.get(`${NAME}:config:${key}`), {
      isSecret: (key: string) => isSecret(key, secrets),
    });
    const environment = environmentOf(source, explicitName(request, values) !== undefined, process.env);
    const aim = JSON.stringify(AIM.map((key) => settingFrom(source, environment, key) ?? null));
    if (this.#aim !== undefined && this.#aim !== aim) throw new RefusedError(CONFIGURED);
    this.#aim = aim;
    return { source, environment };
  }
}

const CONFIGURED =
  "this process is already configured, and keeps its engine, base URL and credentials; for others, start another process";
