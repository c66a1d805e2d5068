/** Arguments of a deployment, and the plan and the PATCH body of an update that changes them. */
import { inputsFrom } from "../../provider/deployment/arguments";
import { planUpdate } from "../../provider/deployment/plan";
import { patchBody } from "../../provider/deployment/request";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import type { Properties } from "../../provider/schema/value";

export const contract = PROFILES.contract as Profile;
export const langsmith = PROFILES.langsmith as Profile;

export const chat: Properties = {
  name: "chat",
  source: "repohost",
  sourceConfig: { repoUrl: "https://repohost.example.test/acme/chat", buildOnPush: true },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
  secrets: { A: "one", B: "two" },
};

/** The recorded state of a deployment with these arguments. */
export function stateOf(args: Properties, profile: Profile, recorded: Properties = {}): Properties {
  return { ...inputsFrom(undefined, args, profile), latestRevisionId: "r1", ...recorded };
}

/** The inputs, the plan and the PATCH body of an update from the arguments `from`, with `changes` applied. */
export function updating(profile: Profile, changes: Properties, recorded: Properties = {}, from = chat) {
  const olds = stateOf(from, profile, recorded);
  const news = inputsFrom(olds, { ...from, ...changes }, profile);
  const plan = planUpdate(olds, news, profile);
  return { olds, news, plan, body: patchBody(plan, profile) };
}
