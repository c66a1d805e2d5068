/** An update before it is carried out: its plan and the body of its PATCH. */
import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import type { Operation } from "../operation";
import { type Plan, refusalOf } from "../plan";
import { patchBody } from "../request";

/** A plan and the body that carries it out, both made once. */
export interface Update extends Plan {
  readonly call: Call;
  readonly id: string;
  /** Of the PATCH; empty where nothing is to be sent. */
  readonly body: Properties;
}

/** Throws a RefusedError where the plan must not be carried out. */
export function updateOf(call: Call, id: string, plan: Plan): Update {
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  if (refusal !== undefined) throw call.refuse(refusal);
  return withBody(call, id, plan);
}

/** The plan with the body of its PATCH. */
export function withBody(call: Call, id: string, plan: Plan): Update {
  return { ...plan, call, id, body: patchBody(plan, call.profile) };
}

/** The operation that an update amounts to. */
export function operationOf({ call, id, olds, news, body }: Update): Operation {
  return { call, id, inputs: news, olds, sent: body };
}
