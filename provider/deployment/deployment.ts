/** Deployment: the road of a program's arguments, from check over diff to the requests and outputs. */
import { INCOMPLETE, RefusedError } from "../failure";
import { faultInWords } from "../fields/check";
import { deploymentOutputRows } from "../fields/deployment";
import { hasUnknown, isProperties, type Properties } from "../fields/value";
import { CARRIED, carriedIn, hiddenIn, PROFILE_IN_USE, RETAINED, urnOf } from "../host/carried";
import type { Checked, Diffed, Resource } from "../resource";
import { keepSecret } from "../service/secrecy";
import type { Session } from "../service/session";
import { COMPUTED, faultsOf, inputsFrom } from "./arguments";
import { claim } from "./claim";
import { adoptionAsked, describeAdoption, findAdoption } from "./create/adopt";
import { deletesFirst, hasChanges, keptWords, lineOf, planUpdate, refusalOf } from "./plan";
import { readDeployment } from "./read";
import { tell, warn } from "./rollout/await";
import { sourceFaults } from "./sourceRules";

async function check(session: Session, olds: Properties | undefined, news: Properties): Promise<Checked> {
  keepSecret(news.secrets);
  const service = session.serviceFor(olds, news);
  const { profile } = service.connection;
  const computed: readonly string[] = [...CARRIED, ...COMPUTED];
  const given = Object.fromEntries(Object.entries(news).filter(([name]) => !computed.includes(name)));
  const args = withoutNulls(given);
  const creates = adoptionAsked(args, service) === false ? "creation" : "adoption";
  const faults = faultsOf(args, profile, hiddenIn(news), olds === undefined ? creates : "update");
  if (faults.length > 0) return { inputs: news, failures: faults.map(faultInWords) };
  const inputs: Properties = {
    ...inputsFrom(olds, { ...args, ...carriedIn(news) }, profile),
    ...(service.profileInUse === undefined ? {} : { [PROFILE_IN_USE]: service.profileInUse }),
  };
  if (olds === undefined && !hasUnknown(inputs.name) && !hasUnknown(inputs.adopt)) {
    // The one look at the service that a plan takes: a creation that adopts, so that the plan can say what it changes.
    const adoption = await findAdoption(inputs, service, session.predecessors.get(urnOf(inputs)));
    if (adoption !== undefined) {
      claim(service, adoption.id, inputs);
      await tell(session, inputs, describeAdoption(adoption, inputs));
    } else return { inputs, failures: sourceFaults(args, profile, "creation").map(faultInWords) };
  }
  return { inputs, failures: [] };
}

/** A null is the same as leaving the argument out. */
function withoutNulls(args: Properties): Properties {
  const kept = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isProperties(value) ? withoutNulls(value) : value]),
  );
}

async function diff(
  session: Session,
  id: string,
  olds: Properties,
  news: Properties,
  planned: boolean,
): Promise<Diffed> {
  keepSecret([olds.secrets, news.secrets]);
  const service = session.serviceOfDiff(olds, news, planned);
  const { profile, newRevisions } = service.connection;
  session.confirm(id, olds);
  const plan = planUpdate(olds, news, profile);
  const before = deletesFirst(plan, olds, news, profile);
  if (planned && plan.verdict === "replace") session.predecessors.set(urnOf(news), id);
  // What the program keeps under this name must not be deleted as the leftover of another.
  else if (planned) claim(service, id, news);
  if (planned && (plan.rollout === "remake" || plan.rollout === "doubt")) session.remade.add(id);
  if (planned && hasChanges(plan)) {
    await session.reporter.info(urnOf(news), lineOf(plan, olds, news, id, profile));
    const refusal = refusalOf(plan, olds, news, profile, newRevisions);
    if (refusal !== undefined) throw new RefusedError(refusal);
    const kept = keptWords(plan);
    if (kept !== undefined) await warn(session, news, kept);
    if (before)
      await warn(
        session,
        news,
        `keeps its name, so the old deployment ${id} is deleted before the new one is created: it is down meanwhile`,
      );
  }
  if (planned && !hasChanges(plan) && olds[INCOMPLETE] === true) {
    await tell(session, news, "finishes the update that failed; nothing is sent");
  }
  return {
    changes: hasChanges(plan) || olds[INCOMPLETE] === true || isOutdated(olds, news),
    replaces: plan.replaces,
    deleteBeforeReplace: before,
  };
}

/** A counter or an option that the state lags behind is brought up to date; no request is sent for it. */
function isOutdated(olds: Properties, news: Properties): boolean {
  const { revisionGeneration } = news;
  if (typeof revisionGeneration === "number" && olds.revisionGeneration !== revisionGeneration) return true;
  return (olds[RETAINED] === true) !== (news[RETAINED] === true);
}

/** What writes is loaded with the first write: a refresh, and a plan in which nothing changes, need none of it. */
const creation = () => require("./create/create") as typeof import("./create/create");
const updating = () => require("./update/update") as typeof import("./update/update");
const destruction = () => require("./destroy") as typeof import("./destroy");

export const deployment: Resource = {
  reported: [...Object.keys(deploymentOutputRows), "latestRevisionStatus"],
  secretInputs: ["secrets"],
  check,
  diff,
  create: async (session, inputs) => {
    keepSecret(inputs.secrets);
    return creation().createDeployment(session, inputs);
  },
  read: async (session, id, state) => {
    keepSecret(state.secrets);
    session.confirm(id, state);
    return readDeployment(session, id, state);
  },
  update: async (session, id, olds, news) => {
    keepSecret([olds.secrets, news.secrets]);
    session.confirm(id, olds);
    return updating().updateDeployment(session, id, olds, news);
  },
  delete: async (session, id, state) => {
    keepSecret(state.secrets);
    session.confirm(id, state);
    return destruction().destroyDeployment(session, id, state);
  },
};
