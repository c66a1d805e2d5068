/** SmokeTest: messages to a running deployment, and the expected reply. */
import {
  boolean,
  type ClassedRows,
  computed,
  decimal,
  integerFrom,
  json,
  listOf,
  mapOf,
  nonEmptyText,
  notSent,
  object,
  part,
  required,
  secret,
  text,
  type ValuesOf,
  withDefault,
} from "./kind";

/** Longest time of one run of the test. */
export const TEST_TIMEOUT_SECONDS = 120;

/** The name of the trigger that has the `revisionKey` of a smoke test's `deployment`. */
export const DEPLOYMENT_TRIGGER = "deployment";

export const messageRows = {
  /** Role of the author, such as `user`. */
  role: required(part("role", nonEmptyText)),
  /** Text, or a list of parts. */
  content: required(part("content", json)),
} as const;

export const expectationRows = {
  /** Text that the reply contains. */
  contains: part("contains", nonEmptyText),
  /** A JavaScript regular expression that matches some part of the reply. */
  matches: part("matches", nonEmptyText),
  /** The whole text of the reply. */
  equals: part("equals", text),
} as const;

/** Arguments that make the test run again when they change. */
export const smokeTestQuestionRows = {
  /**
   * Address of the running deployment. In the TypeScript package, give `deployment`, a Deployment of the program, in
   * place of `deploymentUrl` and `triggers`. In the plugin's SDKs, give the Deployment's `url` here and its
   * `revisionKey` in `triggers`.
   */
  deploymentUrl: required(notSent("inPlace", nonEmptyText)),
  /** Name that the graph is deployed under. */
  assistantId: required(notSent("inPlace", nonEmptyText)),
  /** Messages to send, in this order. */
  messages: required(notSent("inPlace", listOf(object({ ...messageRows })))),
  /** Exactly one condition on the text of the thread's last message. The message's parts are joined first. */
  expect: required(notSent("inPlace", object({ ...expectationRows }))),
  /** Any change to this map runs the test again; usually the `revisionKey` of the deployment. */
  triggers: notSent("inPlace", mapOf(text)),
} as const satisfies ClassedRows;

export const smokeTestRows = {
  ...smokeTestQuestionRows,
  /** Longest time that a run of the test may take, in seconds; defaults to 120. */
  timeoutSeconds: withDefault(TEST_TIMEOUT_SECONDS)(notSent("inPlace", integerFrom(1))),
  /**
   * Name of a connection in the configuration. The connection's key, headers, time-outs and retries apply unless an
   * argument here replaces them. Without a connection, no part of the configuration is sent, because not every
   * deployment should see the control API's key.
   */
  connection: notSent("replace", nonEmptyText),
  /**
   * The deployment's credential; defaults to the connection's credential. Over plain http the credential is refused
   * unless the host is loopback or `allowInsecure` is set.
   */
  apiKey: secret(notSent("inPlace", nonEmptyText)),
  /** Header of the credential; defaults to the connection's header, or `X-Api-Key`. */
  authHeader: notSent("inPlace", nonEmptyText),
  /** Word before the credential, such as `Bearer`. */
  authScheme: notSent("inPlace", nonEmptyText),
  /** Allows sending the credential over plain http; defaults to the connection's setting, or false. */
  allowInsecure: notSent("inPlace", boolean),
} as const satisfies ClassedRows;

/** Result of the last run. */
export const smokeTestOutputRows = {
  /** Text of the thread's last message. */
  reply: required(computed(text)),
  /** Id of the thread that has the reply. */
  threadId: required(computed(text)),
  /** Id of the run that gave the reply. */
  runId: required(computed(text)),
  /** Time from the thread's creation to the reply, in seconds. */
  seconds: required(computed(decimal)),
} as const;

export interface SmokeTestReport extends ValuesOf<typeof smokeTestOutputRows> {}
