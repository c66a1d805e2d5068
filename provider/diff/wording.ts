/** Sentence templates. */
import { redacted } from "../schema/secrecy";
import { escapeControls, unicodeEscapes } from "../schema/words";

type PartIn<Wording extends string> = Wording extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `...${infer Text}` ? Text : Slot) | PartIn<Rest>
  : never;

/** Fills in the slots, such as `{id}`. Masks secrets in phrases, because a phrase may come from outside. */
type Sentence<Part extends string> = (
  ...parts: [Part] extends [never] ? [] : [{ readonly [P in Part]: unknown }]
) => string;

/** The slots of a wording: `{id}` takes a phrase, quoted unless it is plain. `{...message}` takes any string. */
const SLOT = /\{(\.\.\.)?(\w+)\}/g;
const PLAIN_PHRASE = /^[^\s"'(){};,\p{C}]+(?: [^\s"'(){};,\p{C}]+)*$/u;

export const sentence =
  <const Wording extends string>(wording: Wording): Sentence<PartIn<Wording>> =>
  (...[parts = {}]: readonly { readonly [part: string]: unknown }[]) =>
    wording.replace(SLOT, (_slot, isText, name) =>
      isText ? String(parts[name]) : phrase(redacted(String(parts[name]))),
    );

function phrase(text: string): string {
  if (PLAIN_PHRASE.test(text) && escapeControls(text) === text) return text;
  return escapeControls(JSON.stringify(text).replace(/[^\x20-\x7e]/g, unicodeEscapes));
}
