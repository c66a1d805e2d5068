/**
 * The settings. Each row gives the kind, the default, whether the value is secret and which client takes it.
 * Everything else about a setting is derived from its row.
 */
import {
  between,
  boolean,
  choice,
  IDENTICAL,
  integerFrom,
  jsonObject,
  type Kind,
  mapOf,
  nonEmptyText,
  type RequiredNames,
  required,
  text,
  withDefault,
} from "./kind";
import { NAME } from "./naming";
import { nearest } from "./words";

/** The script clients that take a setting as an option. */
type Clients = "both" | "control" | "runtime" | "neither";

/** A field's kind, or the address of a service. */
export type SettingKind<T> = (Kind<unknown> | { readonly type: "address" }) & { readonly valueType?: T };

export interface Setting<T, C extends Clients = Clients> {
  readonly clients: C;
  readonly kind: SettingKind<T>;
  readonly required?: boolean;
  /** The value if the setting is absent. */
  readonly default?: T;
  /** Whether the value is a secret: always, or only if it contains a credential. */
  readonly secret?: "always" | "perhaps";
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds settings of any value type.
export type SettingTable = { readonly [key: string]: Setting<any> };

const address: SettingKind<string> = { type: "address" };

const takenBy =
  <C extends Clients>(clients: C) =>
  <T>(kind: SettingKind<T>): Setting<T, C> => ({ clients, kind });
export const both = takenBy("both");
const control = takenBy("control");
const runtime = takenBy("runtime");
const neither = takenBy("neither");

/** A much longer time-out would overflow the timer, which would then fire at once. */
export const LONGEST_TIMEOUT_SECONDS = 86_400;

/** The settings of a connection. */
export const connectionRows = {
  /** Base URL of the service's control API. */
  baseUrl: required(control(address)),
  /**
   * The credential. Over plain http the credential is refused unless the host is loopback or `allowInsecure` is set.
   */
  apiKey: { ...both(nonEmptyText), secret: "always" },
  /** Header of the credential; defaults to `X-Api-Key`; `none` sends no credential. */
  authHeader: withDefault("X-Api-Key")(both(nonEmptyText)),
  /** Word before the credential, such as `Bearer`. */
  authScheme: both(nonEmptyText),
  /**
   * Additional headers for every request. If the stack keeps the headers as a secret, each header counts as a
   * credential.
   */
  headers: { ...withDefault({})(both(mapOf(text))), secret: "perhaps" },
  /** Name of the service's profile; defaults to `contract`. */
  profile: withDefault("contract")(control(nonEmptyText)),
  /** Overrides of the profile. */
  profileOverrides: control(jsonObject),
  /** Whether an update may create a revision; defaults to `allow`. */
  newRevisions: withDefault("allow")(neither(choice("allow", "forbid"))),
  /**
   * Whether a creation takes over a deployment of the same name; defaults to false. `true` always takes it over.
   * `identical` takes it over only if the deployment matches what the program would create.
   */
  adopt: withDefault(false)(neither(choice(true, false, IDENTICAL))),
  /** Longest time that one try of a request may take, in seconds; defaults to 30. A `joinRun` has its own limit. */
  requestTimeoutSeconds: withDefault(30)(both(between(1, LONGEST_TIMEOUT_SECONDS))),
  /**
   * Maximum number of retries of a request, if retrying is safe; defaults to 4, with pauses of at most 3 s in total.
   * Retries after 429 do not count toward the maximum, but a maximum of 0 also prevents these retries.
   */
  maxRetries: withDefault(4)(both(integerFrom(0))),
  /** Maximum number of requests in flight; defaults to 16. */
  maxConcurrency: withDefault(16)(both(integerFrom(1))),
  /** Allows sending the credential over plain http; defaults to false. */
  allowInsecure: withDefault(false)(both(boolean)),
} as const satisfies SettingTable;

/** Settings that do not belong to a connection. */
const furtherRows = {
  /** Additional connections: a map from names to settings. */
  connections: { ...withDefault({})(neither(mapOf(jsonObject))), secret: "perhaps" },
  /** Folder of the journal, or `off`. */
  journal: neither(nonEmptyText),
} as const satisfies SettingTable;

const allRows = {
  /** Address of the running deployment. */
  deploymentUrl: required(runtime(address)),
  ...connectionRows,
  ...furtherRows,
} as const satisfies SettingTable;

export const configurationRows = { ...connectionRows, ...furtherRows } as const;

export type ConnectionKey = keyof typeof connectionRows;
export const CONNECTION_KEYS = Object.keys(connectionRows) as readonly ConnectionKey[];

/** Every key of the configuration. */
export const CONFIGURATION_KEYS = Object.keys(
  configurationRows,
) as readonly (keyof typeof configurationRows)[];

/** In a project with the product's name, a key that resembles no setting belongs to the program. */
export const isStraySetting = (key: string, project: string): boolean =>
  !Object.hasOwn(configurationRows, key) &&
  (project !== NAME || nearest(key, CONFIGURATION_KEYS) !== undefined);

type AllRows = typeof allRows;
type TakenBy<C extends Clients> = {
  [K in keyof AllRows as AllRows[K]["clients"] extends C | "both" ? K : never]: AllRows[K];
};
type ValueOf<S> = S extends Setting<infer T> ? T : never;

export const runtimeRows = Object.fromEntries(
  Object.entries(allRows).filter(([, { clients }]) => clients === "both" || clients === "runtime"),
) as unknown as TakenBy<"runtime">;

/** A client's options. `Own` has the TypeScript types of the options that no `Kind` can express. */
export type OptionsOf<C extends "control" | "runtime", Own = unknown> = {
  -readonly [K in keyof TakenBy<C> as K extends RequiredNames<TakenBy<C>> ? K : never]: ValueOf<
    TakenBy<C>[K]
  >;
} & {
  -readonly [K in keyof TakenBy<C> as K extends RequiredNames<TakenBy<C>> ? never : K]?:
    | (K extends keyof Own ? Own[K] : ValueOf<TakenBy<C>[K]>)
    | undefined;
};

/** The checked values of a table. A value is undefined only if the setting is absent and has no default. */
export type SettingValues<R extends SettingTable> = {
  readonly [K in keyof R]:
    | ValueOf<R[K]>
    | (R[K] extends { readonly required: true } | { readonly default: unknown } ? never : undefined);
};
