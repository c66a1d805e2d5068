/** The server's answers and errors as messages of Pulumi's provider protocol. */
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServiceError,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { UnfinishedError } from "../../failure";
import type { Fault } from "../../schema/check";
import { shownFailure, shownFault } from "../engine";
import type { Bag } from "../marks";
import type { FullDiff, LiveResource } from "./adapter";
import { filled, plainStruct, structOf } from "./wire";

const { PropertyDiff } = messages;

/** A method of the server that sends its result or its error to the engine. */
export function answering<Q, A>(method: (request: Q) => Promise<A> | A): handleUnaryCall<Q, A> {
  return ({ request }, reply: sendUnaryData<A>) => {
    Promise.resolve()
      .then(() => method(request))
      .then(
        (answer) => reply(null, answer),
        (error) => reply(errorOf(error)),
      );
  };
}

export function streaming<Q, A>(
  method: (request: Q) => Promise<readonly A[]>,
): handleServerStreamingCall<Q, A> {
  return (call) => {
    Promise.resolve()
      .then(() => method(call.request))
      .then(
        (answers) => {
          for (const answer of answers) call.write(answer);
          call.end();
        },
        (error) => call.emit("error", errorOf(error)),
      );
  };
}

/** The error without secrets or a stack trace. */
function errorOf(error: unknown): Partial<ServiceError> {
  if (error instanceof PartialFailure) return error.answer;
  return { code: status.UNKNOWN, details: shownFailure(error) };
}

/** An error that is already in the engine's form. */
class PartialFailure extends Error {
  constructor(readonly answer: Partial<ServiceError>) {
    super(answer.details);
  }
}

/** Runs `work`. If the work fails halfway, throws an error that also carries the outputs. */
export async function keepingUnfinished<T>(inputs: Bag, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnfinishedError ? new PartialFailure(unfinished(error, inputs)) : error;
  }
}

/** The error that makes the engine keep a resource that failed halfway. */
function unfinished(error: UnfinishedError, inputs: Bag): Partial<ServiceError> {
  const left = filled(new messages.ErrorResourceInitFailed(), {
    Id: error.id,
    Properties: plainStruct(error.properties as never),
    Inputs: structOf(inputs),
    ReasonsList: [shownFailure(error)],
  });
  const any = new Any();
  any.pack(left.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = filled(new Status(), {
    Code: status.UNKNOWN,
    Message: "failed half way",
    DetailsList: [any],
  });
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: "failed half way", metadata };
}

/** A failure that names no property. The engine would print a named property's whole value, secrets included. */
export const failure = (reason: string) => filled(new messages.CheckFailure(), { Reason: reason });

export const checkAnswer = (inputs: Bag, failures: readonly Fault[]) =>
  filled(new messages.CheckResponse(), {
    Inputs: structOf(inputs),
    FailuresList: failures.map((fault) => failure(shownFault(fault))),
  });

const KINDS = {
  added: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  removed: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
  changed: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
} as const;

export function diffAnswer(diff: FullDiff): messages.DiffResponse {
  const { changes, replaces = [], deleteBeforeReplace = false, details } = diff;
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const answer = filled(new messages.DiffResponse(), {
    Changes: changes ? DIFF_SOME : DIFF_NONE,
    Deletebeforereplace: deleteBeforeReplace,
    ReplacesList: [...replaces],
    DiffsList: [...new Set(details.map(({ names }) => names[0] as string))],
    Hasdetaileddiff: details.length > 0,
  });
  for (const { names, kind, replaces: isReplacing } of details) {
    const difference = filled(new PropertyDiff(), {
      Kind: KINDS[kind][isReplacing ? 1 : 0],
      Inputdiff: true,
    });
    answer.getDetaileddiffMap().set(propertyPath(names), difference);
  }
  return answer;
}

/** Returns, for example, `sourceConfig.repoUrl` or `secrets["A.B"]`. */
function propertyPath(names: readonly string[]): string {
  return names.reduce((path, name) => {
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
    return path === "" ? name : `${path}.${name}`;
  }, "");
}

/** Returns an empty answer if the resource does not exist. */
export const readAnswer = (resource: LiveResource | undefined): messages.ReadResponse =>
  filled(
    new messages.ReadResponse(),
    resource === undefined
      ? {}
      : { Id: resource.id, Properties: plainStruct(resource.outputs), Inputs: structOf(resource.inputs) },
  );
