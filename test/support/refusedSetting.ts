/** Used by the client's tests of settings: a key, and the message with which the client refuses a setting. */
import { ConfigurationError } from "../../provider/client/errors";

export const KEY = "sk-live-0123456789";

/** Checks that the message with which `read` refuses a setting does not contain the key, and returns the message. */
export function wordsOfRefusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).not.toContain(KEY);
    return (error as Error).message;
  }
  throw new Error("the setting was not refused");
}
