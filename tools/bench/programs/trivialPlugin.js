// A plugin that does nothing, and gives the same answers as the trivial provider.
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const schema = require("../../../provider/schema.json");
const { trivial } = require("./trivial");

const structOf = ({ outs, id }) => Struct.fromJavaScript({ ...outs, revisionKey: `${id}:1` });

/** Makes an answer, and sets its properties by name. */
function answer(Message, properties) {
  const message = new Message();
  for (const [name, value] of Object.entries(properties)) message[`set${name}`](value);
  return message;
}

const checked = (request) => answer(messages.CheckResponse, { Inputs: request.getNews() });

const methods = {
  handshake: () => answer(messages.ProviderHandshakeResponse, { AcceptSecrets: true }),
  getPluginInfo: () => answer(PluginInfo, { Version: "0.0.0" }),
  getSchema: () => answer(messages.GetSchemaResponse, { Schema: JSON.stringify(schema) }),
  checkConfig: checked,
  diffConfig: () => new messages.DiffResponse(),
  configure: () => answer(messages.ConfigureResponse, { Acceptsecrets: true, Supportspreview: true }),
  check: checked,
  diff: async (request) => {
    const [olds, news] = [request.getOlds(), request.getNews()].map((each) => each.toJavaScript());
    const { changes } = await trivial.diff(request.getId(), olds, news);
    return answer(messages.DiffResponse, { Changes: changes ? 2 : 1 });
  },
  create: async (request) => {
    const created = await trivial.create(request.getProperties().toJavaScript());
    return answer(messages.CreateResponse, { Id: created.id, Properties: structOf(created) });
  },
  update: async (request) => {
    const id = request.getId();
    const { outs } = await trivial.update(id, {}, request.getNews().toJavaScript());
    return answer(messages.UpdateResponse, { Properties: structOf({ id, outs }) });
  },
  read: (request) =>
    answer(messages.ReadResponse, {
      Id: request.getId(),
      Properties: request.getProperties(),
      Inputs: request.getInputs(),
    }),
  delete: () => new Empty(),
  cancel: () => new Empty(),
};

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
const answering =
  (method) =>
  async ({ request }, reply) =>
    reply(null, await method(request));
server.addService(
  ResourceProviderService,
  Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, answering(method)])),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, port) =>
  process.stdout.write(`${port}\n`),
);
// The plugin ends when its engine does.
process.stdin.on("end", () => process.exit()).resume();
