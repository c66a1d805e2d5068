/**
 * The engine's side of the plugin protocol, for tests: starts the plugin's server, and returns its answers as plain
 * values.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { BinaryWriter } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isMarked } from "../../provider/engine/marks";
import { type RunningServer, serve } from "../../provider/engine/plugin/server";
import { served } from "../../provider/plugin";
import type { EmulatorOptions } from "../../sdk/emulator";
import { started } from "./embeddedService";

export const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** The properties as the engine shows them. */
export const shownOf = (properties: object): string =>
  JSON.stringify(properties, (_name, value) => (isMarked(value) ? "[secret]" : value));

export const URN = "urn:pulumi:dev::shop::deployment-control:index:Deployment::chat";

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Hides the lines about revisions. The provider writes these lines to standard error. */
export const hideProviderLines = (): void => void jest.spyOn(console, "error").mockImplementation();

// biome-ignore lint/suspicious/noExplicitAny: tests read and set any field of a message.
type Any = any;

/** The request type of each method that tests call. */
const REQUESTS = {
  check: messages.CheckRequest,
  checkConfig: messages.CheckRequest,
  configure: messages.ConfigureRequest,
  create: messages.CreateRequest,
  diff: messages.DiffRequest,
  diffConfig: messages.DiffRequest,
  invoke: messages.InvokeRequest,
  read: messages.ReadRequest,
  update: messages.UpdateRequest,
};

const clients: ResourceProviderClient[] = [];
const servers: RunningServer[] = [];
const processes: ChildProcess[] = [];
const PLUGIN = path.join(__dirname, "../../dist/plugin/pulumi-resource-deployment-control");

/** A failed call. `left`: if the operation failed halfway, the resource that the engine records in the state. */
export interface Failed {
  readonly message: string;
  readonly left?: {
    readonly id: string;
    readonly properties: Any;
    readonly inputs: Any;
    readonly reasons: string[];
  };
}

interface ListFields {
  readonly query?: object;
  readonly limit?: number;
  readonly pageSize?: number;
  readonly token?: string;
}

interface ListedPage {
  readonly entries: { readonly id: string; readonly name: string }[];
  /** The token of the next page; empty after the last page. */
  readonly token: string;
  readonly isUnknown: boolean;
}

export class Client {
  readonly #client: ResourceProviderClient;

  private constructor(client: ResourceProviderClient) {
    this.#client = client;
  }

  /** `name` is the name of the provider resource. */
  static async started(settings?: { readonly [key: string]: string }, name = "default"): Promise<Client> {
    const server = await serve(served, undefined);
    servers.push(server);
    const client = Client.on(server.port);
    if (settings !== undefined) await client.configure(settings, name);
    return client;
  }

  /** Connects to the port, as any process on this machine can. */
  static on(port: number): Client {
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    clients.push(client);
    return new Client(client);
  }

  /** `args`: the settings as the program gives them, with marks of secrets. */
  configure(settings: { readonly [key: string]: string }, name = "default", args?: object): Promise<unknown> {
    const request = new messages.ConfigureRequest();
    request.setName(name);
    for (const [key, value] of Object.entries(settings))
      request.getVariablesMap().set(`deployment-control:config:${key}`, value);
    if (args !== undefined) request.setArgs(Struct.fromJavaScript(args as Any));
    return this.ask("configure", request);
  }

  attach(address: string): Promise<unknown> {
    const request = new PluginAttach();
    request.setAddress(address);
    return this.ask("attach", request);
  }

  /** Rejects with a `Failed`. */
  ask(method: string, request: Any): Promise<Any> {
    return new Promise((resolve, reject) => {
      (this.#client as Any)[method](request, (error: ServiceError | null, answer: Any) =>
        error ? reject(failed(error)) : resolve(answer),
      );
    });
  }

  /** Calls the method with these fields set in the request, such as `{urn, olds: {…}}`. */
  call(method: keyof typeof REQUESTS, fields: { readonly [name: string]: unknown }): Promise<Any> {
    return this.ask(method, requestOf(method, fields));
  }

  /** `outputs`: the old outputs. Engine 3.261 and later versions send them too. */
  async check(urn: string, news: object, olds: object = {}, outputs?: object) {
    const serializeBinary = () => withOldOutputs(requestOf("check", { urn, olds, news }), outputs);
    const answer = await this.ask("check", Object.assign(new messages.CheckRequest(), { serializeBinary }));
    return {
      inputs: answer.getInputs().toJavaScript(),
      failures: answer.getFailuresList().map((each: messages.CheckFailure) => each.getReason()),
    };
  }

  /** Reads one page of a list; rejects with a `Failed`. */
  list(type: string, { query, limit = 0, pageSize = 0, token = "" }: ListFields = {}): Promise<ListedPage> {
    const request = new messages.ListRequest();
    request.setToken(`deployment-control:index:${type}`);
    if (query !== undefined) request.setQuery(Struct.fromJavaScript(query as Any));
    request.setLimit(limit);
    request.setPageSize(pageSize);
    request.setContinuationToken(token);
    const page = { entries: [] as ListedPage["entries"], token: "", isUnknown: false };
    return new Promise((resolve, reject) => {
      const stream = (this.#client as Any).list(request);
      stream.on("data", (answer: messages.ListResponse) => {
        const entry = answer.getResult();
        if (entry !== undefined) page.entries.push({ id: entry.getId(), name: entry.getName() });
        page.token = answer.getContinuation()?.getContinuationToken() ?? page.token;
        page.isUnknown ||= answer.hasComputed();
      });
      stream.on("error", (error: ServiceError) => reject(failed(error)));
      stream.on("end", () => resolve(page));
    });
  }

  cancel(): Promise<unknown> {
    return this.ask("cancel", new Empty());
  }
}

function requestOf(method: keyof typeof REQUESTS, fields: { readonly [name: string]: unknown }): Any {
  const request: Any = new REQUESTS[method]();
  for (const [name, value] of Object.entries(fields)) {
    const isStruct = typeof value === "object" && value !== null;
    request[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`](
      isStruct ? Struct.fromJavaScript(value as Any) : value,
    );
  }
  return request;
}

/** The bytes of the request with the field `old_outputs`, which the pinned SDK cannot write. */
function withOldOutputs(request: messages.CheckRequest, outputs: object | undefined): Uint8Array {
  const writer = new BinaryWriter();
  if (outputs !== undefined) writer.writeBytes(9, Struct.fromJavaScript(outputs as Any).serializeBinary());
  return Buffer.concat([request.serializeBinary(), writer.getResultBuffer()]);
}

function failed(error: ServiceError): Failed {
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (details === undefined) return { message: error.details };
  const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() as Uint8Array);
  return {
    message: error.details,
    left: {
      id: failure.getId(),
      properties: failure.getProperties()?.toJavaScript(),
      inputs: failure.getInputs()?.toJavaScript(),
      reasons: failure.getReasonsList(),
    },
  };
}

/** Starts an embedded service and a plugin that is configured for it. */
export async function provider(options: EmulatorOptions = {}, settings: { [key: string]: string } = {}) {
  const emulator = await started(options);
  const client = await Client.started({ baseUrl: emulator.url, journal: "off", ...settings });
  return { emulator, client };
}

/** Starts the plugin in a separate process with these arguments. */
export async function startedProcess(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [PLUGIN, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  processes.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, port: Number(line) };
}

export function closeClients(): void {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) server.close();
}
