/** Pulumi's own host of dynamic providers, called as the engine calls it. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import type { Properties } from "../../provider/fields/value";

const ofSdk = createRequire(require.resolve("@pulumi/pulumi"));
/** The built provider, as a literal for code that requires it. */
export const provider = JSON.stringify(path.join(__dirname, "..", "..", "dist", "provider"));
const loading = `exports.handler = () => require(${provider}).deployment`;

/** Answers on standard output how much the space for old objects holds, whenever it is sent a signal. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import v8 from "node:v8";
  process.on("SIGUSR2", () => {
    const { space_used_size } = v8.getHeapSpaceStatistics().find((each) => each.space_name === "old_space");
    console.log("old space", space_used_size);
  });`)}`;

export interface Host {
  /** The engine's call for one resource. */
  read(id: string, state: Properties): Promise<unknown>;
  /** What the space for old objects holds, in bytes. */
  oldSpace(): Promise<number>;
  stop(): Promise<void>;
}

/** An engine that is there and says nothing. */
export async function silentEngine(): Promise<{ readonly address: string; close(): void }> {
  const engine = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => engine.once("listening", resolve));
  const { port } = engine.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, close: () => void engine.close() };
}

/** The host, under such an engine. */
export async function startHost(environment: NodeJS.ProcessEnv): Promise<Host> {
  const engine = await silentEngine();
  const host = ofSdk.resolve("@pulumi/pulumi/cmd/dynamic-provider");
  const child = spawn(process.execPath, ["--import", telling, host, engine.address], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const nextWords = () =>
    new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(`${data}`)));
  const { ResourceProviderClient } = ofSdk("@pulumi/pulumi/proto/provider_grpc_pb");
  const { ConfigureRequest, ReadRequest } = ofSdk("@pulumi/pulumi/proto/provider_pb");
  const { Struct } = ofSdk("google-protobuf/google/protobuf/struct_pb.js");
  const { credentials } = ofSdk("@grpc/grpc-js");
  const client = new ResourceProviderClient(
    `127.0.0.1:${(await nextWords()).trim()}`,
    credentials.createInsecure(),
  );
  const call = (method: string, request: unknown) =>
    new Promise((resolve, reject) => {
      client[method](request, (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer)));
    });
  const configuration = new ConfigureRequest();
  configuration.setArgs(Struct.fromJavaScript({}));
  await call("configure", configuration);
  return {
    read: (id, state) => {
      const request = new ReadRequest();
      request.setId(id);
      request.setProperties(Struct.fromJavaScript({ ...state, __provider: loading }));
      return call("read", request);
    },
    oldSpace: async () => {
      const words = nextWords();
      child.kill("SIGUSR2");
      return Number(/old space (\d+)/.exec(await words)?.[1]);
    },
    stop: async () => {
      client.close();
      child.kill("SIGKILL");
      await exited;
      engine.close();
    },
  };
}
