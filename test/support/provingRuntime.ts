/** A stub in front of the embedded runtime: a deployment's reply depends on the ref of its serving revision. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "../../sdk/emulator";

/** How a revision replies. The revision's ref begins with this word, as in `wrong-2`. `silent` cuts the connection. */
export type Mood = "right" | "wrong" | "failing" | "silent";

export interface ProvingRuntime {
  readonly url: string;
  readonly conversations: () => number;
  /** Runs before each answer; the answer waits for the returned promise. */
  before: (request: IncomingMessage) => Promise<unknown>;
  /** If set, every revision replies in this mood, whatever its ref says. */
  mood: Mood | undefined;
}

const stubs: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
  for (const stub of stubs) stub.closeAllConnections();
  await Promise.all(stubs.splice(0).map((stub) => new Promise((done) => stub.close(done))));
});

/** Starts a stub that serves the deployments' runtimes at `/runtime/ID`, like the emulator itself. */
export async function provingRuntime(emulator: Emulator): Promise<ProvingRuntime> {
  let conversationCount = 0;
  const stub = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url?.endsWith("/threads")) conversationCount += 1;
    await runtime.before(request);
    await answer(emulator, runtime.mood, { request, response, body: Buffer.concat(chunks).toString() });
  });
  stubs.push(stub);
  await new Promise<void>((done) => stub.listen(0, "127.0.0.1", done));
  const { port } = stub.address() as AddressInfo;
  const runtime: ProvingRuntime = {
    url: `http://127.0.0.1:${port}`,
    conversations: () => conversationCount,
    before: async () => undefined,
    mood: undefined,
  };
  return runtime;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

async function answer(emulator: Emulator, mood: Mood | undefined, { request, response, body }: Exchange) {
  const current = mood ?? moodOf(emulator, request.url?.split("/")[2]);
  if (current === "silent") return response.destroy();
  const { method = "GET", url } = request;
  const bodyPart = body === "" ? {} : { body: url?.endsWith("/runs") ? inMood(body, current) : body };
  const { apiKey } = emulator.behaviour;
  const headers = { "content-type": "application/json", ...(apiKey && { "x-api-key": apiKey }) };
  const answered = await fetch(`${emulator.url}${url}`, { method, headers, ...bodyPart });
  response.writeHead(answered.status, { "content-type": "application/json" });
  return response.end(await answered.text());
}

function moodOf(emulator: Emulator, id: string | undefined): Mood {
  const deployment = emulator.deployments().find((each) => each.id === id);
  const serving = deployment?.revisions.find((each) => each.id === deployment.active_revision_id);
  const words = JSON.stringify(serving?.source_revision_config ?? {});
  return (/(right|wrong|failing|silent)-/.exec(words)?.[1] ?? "right") as Mood;
}

/**
 * The body of a run's request, changed so that the graph replies in the mood. The emulator's graph repeats the last
 * message.
 */
function inMood(body: string, mood: Mood): string {
  const run = JSON.parse(body);
  const content = mood === "wrong" ? "nonsense" : run.input.messages.at(-1).content;
  const input = { messages: [{ role: "user", content }] };
  return JSON.stringify({ ...run, input, assistant_id: mood === "failing" ? "fail" : run.assistant_id });
}
