/** Words to the engine, shown under the resource they concern, in preview and up alike. */
import { type Fault, faultInWords } from "../fields/check";
import { uncoloured } from "../fields/words";
import { failureWords } from "../run/failureWords";
import type { Reporter } from "../run/run";
import { redacted } from "../run/secrecy";
import type { Words } from "../verdict/wording";

/** Words as the engine is to show them, with no secret in them. */
const shown = (words: Words): string => uncoloured(redacted(words));

export const shownFailure = (error: unknown): string => uncoloured(failureWords(error));

/** The path of the argument is ours: it is shown even where a secret is spelled like it. */
export const shownFault = ({ path, words }: Fault): string =>
  uncoloured(faultInWords({ path, words: redacted(words) }));

/** Where the words cannot be placed under a resource: standard error, which the engine shows for the stack. */
const standardError: Reporter = {
  info: async (_urn, words) => console.error(shown(words)),
  warn: async (_urn, words) => console.error(`warning: ${shown(words)}`),
};

/** Whether that is an address of an engine, such as `127.0.0.1:40123`. */
export function isEngineAddress(address: string | undefined): address is string {
  return address !== undefined && /^[^/\s]+:\d+$/.test(address);
}

/** The engine that started this process, whose address is the last argument of its command line. */
export function engineReporter(address: string | undefined, load: () => EngineMessages): Reporter {
  if (!isEngineAddress(address)) return standardError;
  const log = logService(address, load);
  return {
    info: (urn, words) => log(urn, 1, words),
    warn: (urn, words) => log(urn, 2, words),
    status: (urn, words) => log(urn, 1, words, true),
  };
}

type Log = (urn: string, severity: number, words: Words, ephemeral?: boolean) => Promise<void>;

function logService(address: string, load: () => EngineMessages): Log {
  let send: Log | undefined;
  return async (urn, severity, words, ephemeral) => {
    send ??= connect(address, load());
    await send(urn, severity, words, ephemeral);
  };
}

/** The engine's messages, and the very copy of grpc that they use: credentials of another copy are refused. */
export interface EngineMessages {
  readonly credentials: typeof import("@grpc/grpc-js").credentials;
  readonly EngineClient: typeof import("@pulumi/pulumi/proto/engine_grpc_pb").EngineClient;
  readonly LogRequest: typeof import("@pulumi/pulumi/proto/engine_pb").LogRequest;
}

function connect(address: string, { credentials, EngineClient, LogRequest }: EngineMessages): Log {
  const client = new EngineClient(address, credentials.createInsecure());
  return (urn, severity, words, ephemeral = false) =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setSeverity(severity);
      request.setMessage(shown(words));
      request.setEphemeral(ephemeral);
      if (urn !== "") request.setUrn(urn);
      // Words that cannot be delivered must not fail the resource that they are about.
      client.log(request, () => resolve());
    });
}
