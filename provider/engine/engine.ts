/** Messages to the engine, which shows each message under its resource, in a preview and in `pulumi up`. */

import { labeled } from "../diff/describe";
import { failureWords } from "../run/failureWords";
import type { Reporter } from "../run/run";
import { type Fault, faultInWords } from "../schema/check";
import { redacted } from "../schema/secrecy";
import { escapeLines } from "../schema/words";

export const shownFailure = (error: unknown): string => escapeLines(failureWords(error));

/** The argument's path is not masked, even if a secret is spelled like the path. */
export const shownFault = ({ path, words }: Fault): string =>
  escapeLines(faultInWords({ path, words: redacted(words) }));

/** The engine shows standard error under the stack, not under a resource. */
export const standardError: Reporter = {
  info: async (_urn, words, label) => console.error(escapeLines(labeled(label, words))),
  warn: async (_urn, words, label) => console.error(`warning: ${escapeLines(labeled(label, words))}`),
};

/** Whether this is the address of an engine, such as `127.0.0.1:40123`. */
export function isEngineAddress(address: string | undefined): address is string {
  return address !== undefined && /^[^/\s]+:\d+$/.test(address);
}

/** Reports to the engine that started this process. `address`: the last argument of the command line. */
export function engineReporter(address: string | undefined, load: () => EngineMessages): Reporter {
  if (!isEngineAddress(address)) return standardError;
  let send: ReturnType<typeof connect> | undefined;
  const log = async (urn: string, severity: number, words: string, ephemeral = false) => {
    send ??= connect(address, load());
    await send(urn, severity, words, ephemeral);
  };
  return {
    info: (urn, words, label) => log(urn, 1, urn === "" ? labeled(label, words) : words),
    warn: (urn, words, label) => log(urn, 2, urn === "" ? labeled(label, words) : words),
    status: (urn, words) => log(urn, 1, words, true),
  };
}

/** The engine's message classes and their copy of grpc. The classes refuse credentials from any other copy. */
export interface EngineMessages {
  readonly credentials: typeof import("@grpc/grpc-js").credentials;
  readonly EngineClient: typeof import("@pulumi/pulumi/proto/engine_grpc_pb").EngineClient;
  readonly LogRequest: typeof import("@pulumi/pulumi/proto/engine_pb").LogRequest;
}

function connect(address: string, { credentials, EngineClient, LogRequest }: EngineMessages) {
  const client = new EngineClient(address, credentials.createInsecure());
  return (urn: string, severity: number, words: string, ephemeral: boolean) =>
    new Promise<void>((resolve) => {
      const request = new LogRequest();
      request.setSeverity(severity);
      request.setMessage(escapeLines(words));
      request.setEphemeral(ephemeral);
      if (urn !== "") request.setUrn(urn);
      // A message that cannot be delivered must not make its resource fail.
      client.log(request, () => resolve());
    });
}
