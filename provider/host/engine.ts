/** Messages to the engine, which shows them under the resource that they concern, in preview and up. */
import { type Fault, faultInWords } from "../fields/check";
import { escapeLines } from "../fields/words";
import { failureWords } from "../run/failureWords";
import type { Reporter } from "../run/run";
import { redacted } from "../run/secrecy";
import { joined, LabelledLine, ours, type Words } from "../verdict/wording";

/** The words without secrets and control characters. */
const printable = (words: Words): string => escapeLines(redacted(words));

export const shownFailure = (error: unknown): string => escapeLines(failureWords(error));

/** The argument's path is not masked, even if a secret is spelled like it. */
export const shownFault = ({ path, words }: Fault): string =>
  escapeLines(faultInWords({ path, words: redacted(words) }));

/** Shows messages about no resource: the engine shows standard error under the stack. */
export const standardError: Reporter = {
  info: async (_urn, words) => console.error(printable(words)),
  warn: async (_urn, words) => console.error(`warning: ${printable(words)}`),
};

/** Whether this is the address of an engine, such as `127.0.0.1:40123`. */
export function isEngineAddress(address: string | undefined): address is string {
  return address !== undefined && /^[^/\s]+:\d+$/.test(address);
}

/**
 * Reports to the engine that started this process. The command line's last argument is its address.
 *
 * Under `--diff` the engine shows only the messages, so each needs its resource's label. Its other displays show the
 * name beside a message and would say it twice. They forget ephemeral messages and cut those at the first line's end,
 * so the label is an ephemeral heading, and the second line of a status.
 */
export function engineReporter(address: string | undefined, load: () => EngineMessages): Reporter {
  if (!isEngineAddress(address)) return standardError;
  const log = inTurn(logService(address, load));
  let headed = "";
  const show = async (urn: string, severity: number, words: Words): Promise<void> => {
    const isLabelled = urn !== "" && words instanceof LabelledLine;
    if (isLabelled && urn !== headed) void log(urn, 1, ours(`\n${words.label}:`), true);
    headed = urn;
    return log(urn, severity, isLabelled ? words.words : words);
  };
  return {
    info: (urn, words) => show(urn, 1, words),
    warn: (urn, words) => show(urn, 2, words),
    status: (urn, { label, words }) => log(urn, 1, joined([words, ours(`\n(${label})`)]), true),
  };
}

/** The order of the messages is that of the calls, so a heading stays with its line. */
function inTurn(log: Log): Log {
  let last: Promise<void> = Promise.resolve();
  return (...message) => {
    last = last.then(() => log(...message));
    return last;
  };
}

/** The engine's mark for no color, without which it trims the line's end before a heading. */
const NO_COLOR = "<{%reset%}>";

type Log = (urn: string, severity: number, words: Words, ephemeral?: boolean) => Promise<void>;

function logService(address: string, load: () => EngineMessages): Log {
  let send: Log | undefined;
  return async (urn, severity, words, ephemeral) => {
    send ??= connect(address, load());
    await send(urn, severity, words, ephemeral);
  };
}

/** The engine's messages, and the copy of grpc that they use: they refuse credentials of another copy. */
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
      request.setMessage(`${ephemeral ? NO_COLOR : ""}${printable(words)}`);
      request.setEphemeral(ephemeral);
      if (urn !== "") request.setUrn(urn);
      // A message that cannot be delivered must not fail its resource.
      client.log(request, () => resolve());
    });
}
