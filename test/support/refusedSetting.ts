/** Shared by the client's tests of settings: a key, and the message with which a setting is refused. */
import { ConfigurationError } from "../../provider/client/errors";

export const KEY = "sk-live-0123456789";

/** The refusal's message; checks that it does not have the key. */
export function wordsOfRefusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).not.toContain(KEY);
    return (error as Error).message;
  }
  throw new Error("it was not refused");
}
