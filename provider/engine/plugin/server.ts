/** The server for Pulumi's provider protocol. Each method is a call on a resource, a look-up or the configuration. */
import { credentials, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { RefusedError } from "../../failure";
import { NAME, typeIn } from "../../schema/naming";
import { entryNamed } from "../../schema/value";
import { escapeLines } from "../../schema/words";
import { isEngineAddress } from "../engine";
import { Process } from "../process";
import { type About, Adapter, isRecorded, type Served } from "./adapter";
import {
  answering,
  checkAnswer,
  diffAnswer,
  failure,
  keepingUnfinished,
  readAnswer,
  streaming,
} from "./answers";
import { Admission, openKeys, type Settings, unknownSettings } from "./configuration";
import { listAnswers } from "./lists";
import { bagIn, filled, losesEntry, oldOutputsIn, plainStruct, recordedIn } from "./wire";

/** The largest message that the engine sends. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

/** Keeps the bytes of each `Check`, because the library and the pinned SDK drop parts of the request. */
const requestBytes = new WeakMap<messages.CheckRequest, Buffer>();

const service = {
  ...ResourceProviderService,
  check: {
    ...ResourceProviderService.check,
    requestDeserialize(bytes: Buffer) {
      const request = ResourceProviderService.check.requestDeserialize(bytes);
      requestBytes.set(request, bytes);
      return request;
    },
  },
};

export interface RunningServer {
  readonly port: number;
  close(): void;
}

/** Starts the server on a free port of the loopback interface. */
export function serve(served: Served, engineAddress: string | undefined): Promise<RunningServer> {
  const server = new Server({
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
    "grpc.max_send_message_length": LARGEST_MESSAGE,
  });
  server.addService(service, new Provider(served, engineAddress).methods());
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve({ port, close: () => server.forceShutdown() }),
    );
  });
}

class Provider {
  readonly #served: Served;
  readonly #adapters = new Map<string, Adapter>();
  readonly #admission: Admission;
  #address: string | undefined;
  #process: Process;
  #settings: Settings = { source: () => undefined, environment: process.env };

  constructor(served: Served, engineAddress: string | undefined) {
    this.#served = served;
    this.#admission = new Admission(isEngineAddress(engineAddress));
    this.#address = engineAddress;
    this.#process = this.#newProcess();
  }

  #newProcess(): Process {
    const newProcess = new Process(this.#address, () => ({ credentials, EngineClient, LogRequest }));
    newProcess.watch();
    return newProcess;
  }

  methods(): UntypedServiceImplementation {
    return {
      handshake: answering(() => filled(new messages.ProviderHandshakeResponse(), { AcceptSecrets: true })),
      attach: answering((request: PluginAttach) => {
        this.#admission.refuseAttach();
        this.#address = request.getAddress();
        this.#process = this.#newProcess();
        return new Empty();
      }),
      getPluginInfo: answering(() => filled(new PluginInfo(), { Version: this.#served.version })),
      getSchema: answering(() => filled(new messages.GetSchemaResponse(), { Schema: this.#served.schema() })),
      checkConfig: answering((request: messages.CheckRequest) => {
        const news = bagIn(request.getNews());
        return checkAnswer(news, unknownSettings(news, request.getUrn()));
      }),
      // After an empty answer, the engine compares the settings itself. Only the engine knows which settings are
      // secret.
      diffConfig: answering(() => new messages.DiffResponse()),
      configure: answering((request: messages.ConfigureRequest) => this.#configure(request)),
      check: answering((request: messages.CheckRequest) => this.#check(request)),
      diff: answering((request: messages.DiffRequest) => this.#diff(request)),
      create: answering((request: messages.CreateRequest) => this.#create(request)),
      read: answering((request: messages.ReadRequest) => this.#read(request)),
      update: answering((request: messages.UpdateRequest) => this.#update(request)),
      delete: answering((request: messages.DeleteRequest) => this.#delete(request)),
      invoke: answering((request: messages.InvokeRequest) => this.#invoke(request)),
      list: streaming((request: messages.ListRequest) =>
        listAnswers(this.#served, request, lastPart(request.getToken()), this.#settings),
      ),
      cancel: answering(() => {
        this.#process.cancel();
        return new Empty();
      }),
    };
  }

  #configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const open = openKeys(request);
    if (open.length > 0) throw new RefusedError(open.join("; "));
    this.#settings = this.#admission.settings(request);
    this.#process.configure(this.#settings.source, this.#settings.environment);
    return filled(new messages.ConfigureResponse(), { Acceptsecrets: true, Supportspreview: true });
  }

  async #check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const [olds, news] = [recordedIn(request.getOlds()), bagIn(request.getNews())];
    const bytes = requestBytes.get(request) as Buffer;
    if (losesEntry(bytes)) return checkAnswer(news, [{ path: [], words: LOST }]);
    const recorded = { state: recordedIn(oldOutputsIn(bytes)), inputs: olds };
    const { inputs, failures } = await this.#adapter(request).check(about(request), recorded, news);
    return checkAnswer(inputs, failures);
  }

  async #diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const recorded = recordedFrom(request.getOlds(), request.getOldInputs());
    const news = recordedIn(request.getNews());
    return diffAnswer(await this.#adapter(request).diff(about(request), request.getId(), recorded, news));
  }

  async #create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const news = recordedIn(request.getProperties());
    const create = () => this.#adapter(request).create(timed(request), news, request.getPreview());
    const { id, outputs } = await keepingUnfinished(news, create);
    return filled(new messages.CreateResponse(), { Id: id, Properties: plainStruct(outputs) });
  }

  async #update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const recorded = recordedFrom(request.getOlds(), request.getOldInputs());
    const news = recordedIn(request.getNews());
    const id = request.getId();
    const update = () =>
      this.#adapter(request).update(timed(request), id, recorded, news, request.getPreview());
    const outputs = await keepingUnfinished(news, update);
    return filled(new messages.UpdateResponse(), { Properties: plainStruct(outputs) });
  }

  async #read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const recorded = recordedFrom(request.getProperties(), request.getInputs());
    const { state, inputs } = recorded;
    const adapter = this.#adapter(request);
    const id = request.getId();
    if (isRecorded(state.values) && adapter.isDeclared(inputs))
      return readAnswer(await adapter.refresh(about(request), id, recorded));
    const resource = await adapter.find(about(request), id, inputs);
    // A refresh records the answer. For a resource that is only read, the answer therefore repeats the inputs.
    return readAnswer(resource && isRecorded(state.values) ? { ...resource, inputs } : resource);
  }

  async #delete(request: messages.DeleteRequest): Promise<Empty> {
    const recorded = recordedFrom(request.getProperties(), request.getOldInputs());
    await this.#adapter(request).delete(timed(request), request.getId(), recorded);
    return new Empty();
  }

  async #invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const name = lastPart(request.getTok());
    const lookUp = entryNamed(this.#served.functions, name);
    if (lookUp === undefined) throw new RefusedError(`there is no function ${request.getTok()}`);
    try {
      const entries = await lookUp.call(this.#settings, bagIn(request.getArgs()).values);
      return filled(new messages.InvokeResponse(), { Return: plainStruct({ [lookUp.name]: entries }) });
    } catch (error) {
      const words = this.#served.wordsOfFailure(error);
      if (words === undefined) throw error;
      const failures = [failure(escapeLines(`${name}: ${words}`))];
      return filled(new messages.InvokeResponse(), { FailuresList: failures });
    }
  }

  #adapter(request: { getUrn(): string; getType(): string }): Adapter {
    const name = lastPart(request.getType() || typeIn(request.getUrn()));
    const loaded = this.#adapters.get(name);
    if (loaded !== undefined) return loaded;
    const served = entryNamed(this.#served.resources, name);
    if (served === undefined) throw new RefusedError(`${NAME} has no resource ${name}`);
    const adapter = new Adapter(served, () => this.#process.run);
    this.#adapters.set(name, adapter);
    return adapter;
  }
}

const LOST =
  "an entry is named __proto__, a name that JavaScript reserves, so the entry would be dropped; allowed: any other name. Set another name";

const recordedFrom = (state: Struct | undefined, inputs: Struct | undefined) => ({
  state: recordedIn(state),
  inputs: recordedIn(inputs),
});

const lastPart = (token: string): string => token.split(":").at(-1) as string;

const about = (request: { getUrn(): string }): About => ({ urn: request.getUrn() });

/** The engine sends 0 if there is no time-out. */
function timed(request: { getUrn(): string; getTimeout(): number }): About {
  const seconds = request.getTimeout() || undefined;
  return { ...about(request), timeouts: { create: seconds, update: seconds, delete: seconds } };
}
