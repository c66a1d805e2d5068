/** The question by which a revision proves itself, before and after a change of the program. */
import { type Properties, propertiesIn, sameValue, valueAt } from "../../fields/value";
import { VERIFY_FAILED } from "../../fields/verification";

/** Whether the last revision gave a wrong reply to a question that the program has changed since. */
export function asksAnew({ latestRevisionStatus, ...olds }: Properties, news: Properties): boolean {
  // The plugin's outputs hold no secret, so these are not compared.
  const [before, after] = [olds, news].map((args) => {
    const { apiKey: _secret, ...question } = propertiesIn(valueAt(args, ["rollout", "verify"]));
    return question;
  }) as [Properties, Properties];
  return latestRevisionStatus === VERIFY_FAILED && !sameValue({ messages: after.messages, ...before }, after);
}
