/** Messages of a thread as they travel: `content` is text, or a list of parts. */
import { isProperties, type Properties } from "../fields/value";

/** A message of a run's input. */
export interface NewMessage {
  /** Such as `user`. */
  readonly role: string;
  readonly content: string | readonly unknown[];
}

/** A message of a thread. */
export interface Message {
  /** Such as `human` or `ai`. */
  readonly type: string;
  readonly content: string | readonly unknown[];
  readonly [name: string]: unknown;
}

/** What a thread holds; beside the messages, whatever the graph keeps, in its own names. */
export interface ThreadValues {
  /** Empty before the first run. */
  readonly messages: readonly Message[];
  readonly [name: string]: unknown;
}

/** Values as the service answered them; there are none before the first run. */
export function valuesOf(answered: unknown): ThreadValues {
  const values: Properties = isProperties(answered) ? answered : {};
  const messages = Array.isArray(values.messages) ? values.messages.filter(isProperties) : [];
  return { ...values, messages: messages as unknown as Message[] };
}

/** The text of a message, its parts joined; parts that are no text, such as images, say nothing. */
export function textOfMessage({ content }: { readonly content: unknown }): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(textOfPart).join("");
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  return isProperties(part) && typeof part.text === "string" ? part.text : "";
}
