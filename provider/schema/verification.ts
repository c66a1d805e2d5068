/** The verification of a new revision. The control API receives none of these fields. */
import {
  integerFrom,
  listOf,
  nonEmptyText,
  object,
  part,
  required,
  secret,
  type ValuesOf,
  withDefault,
} from "./kind";
import { expectationRows, messageRows, TEST_TIMEOUT_SECONDS } from "./smokeTest";

export const verificationRows = {
  /** Address of the running deployment; defaults to the address that the service reports. */
  deploymentUrl: part("deploymentUrl", nonEmptyText),
  /** Name that the graph is deployed under. */
  assistantId: required(part("assistantId", nonEmptyText)),
  /** Messages to send in each conversation, in this order. */
  messages: required(part("messages", listOf(object({ ...messageRows })))),
  /** Exactly one condition on the text of a conversation's last message; the message's parts are joined. */
  expect: required(part("expect", object({ ...expectationRows }))),
  /** Maximum number of conversations to hold, one after another; defaults to 1. */
  runs: withDefault(1)(part("runs", integerFrom(1))),
  /** How many of these conversations must end as expected; defaults to all. */
  atLeast: part("atLeast", integerFrom(1)),
  /**
   * Number of seconds, after the first correct reply, during which the conversation is repeated every ten seconds. A
   * wrong reply in this time fails the revision too. By default, no conversation is repeated.
   */
  bakeSeconds: part("bakeSeconds", integerFrom(1)),
  /** Maximum duration of one conversation, in seconds; defaults to 120. */
  timeoutSeconds: withDefault(TEST_TIMEOUT_SECONDS)(part("timeoutSeconds", integerFrom(1))),
  /** The deployment's credential. No API key from the configuration is sent to a deployment. */
  apiKey: secret(part("apiKey", nonEmptyText)),
} as const;

export interface Verification extends ValuesOf<typeof verificationRows> {}

/** The provider's own status for a deployed revision whose reply was wrong. */
export const VERIFY_FAILED = "VERIFY_FAILED";
/** The provider's own status for a deployed revision that gave no reply to judge. */
export const UNVERIFIED = "UNVERIFIED";

/** Whether a deployed revision with this status failed verification. No service reports these statuses. */
export const isUnproven = (status: unknown): boolean => status === VERIFY_FAILED || status === UNVERIFIED;
