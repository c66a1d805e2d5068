/** Used by the client's tests of settings: a key, and the message with which the client refuses a setting. */
import { ConfigurationError } from "../../provider/client/errors";
import { thrown } from "./thrown";

export const KEY = "sk-live-0123456789";

/** Returns the message with which `read` refuses a setting, and checks that the message does not contain the key. */
export function wordsOfRefusal(read: () => unknown): string {
  const error = thrown(read);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).not.toContain(KEY);
  return error.message;
}
