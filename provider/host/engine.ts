/** Words to the engine, shown under the resource they concern, in preview and up alike. */
import { createRequire } from "node:module";
import type { Words } from "../fields/ownWords";
import type { Reporter } from "../service/run";
import { redacted } from "../service/secrecy";

/** Where the words cannot be placed under a resource: standard error, which the engine shows for the stack. */
const standardError: Reporter = {
  info: async (_urn, words) => console.error(redacted(words)),
  warn: async (_urn, words) => console.error(`warning: ${redacted(words)}`),
};

/** Whether that is an address of an engine, such as `127.0.0.1:40123`. */
export function isEngineAddress(address: string | undefined): address is string {
  return address !== undefined && /^[^/\s]+:\d+$/.test(address);
}

/** The engine that started this process, whose address is the last argument of its command line. */
export function engineReporter(address: string | undefined): Reporter {
  if (!isEngineAddress(address)) return standardError;
  const log = logService(address);
  return {
    info: (urn, words) => log(urn, 1, words),
    warn: (urn, words) => log(urn, 2, words),
  };
}

type Log<W = string> = (urn: string, severity: number, words: W) => Promise<void>;

function logService(address: string): Log<Words> {
  let send: Log | undefined;
  return async (urn, severity, words) => {
    send ??= connect(address);
    await send(urn, severity, redacted(words));
  };
}

function connect(address: string): Log {
  // The very copy of grpc that the SDK uses: credentials of another copy are refused.
  const ofSdk = createRequire(require.resolve("@pulumi/pulumi"));
  const grpc = ofSdk("@grpc/grpc-js");
  const { EngineClient } = ofSdk("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest } = ofSdk("@pulumi/pulumi/proto/engine_pb");
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return (urn, severity, words) =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setSeverity(severity);
      request.setMessage(words);
      if (urn !== "") request.setUrn(urn);
      // Words that cannot be delivered must not fail the resource that they are about.
      client.log(request, () => resolve());
    });
}
