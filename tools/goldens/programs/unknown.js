const pulumi = require("@pulumi/pulumi");
const { fromImage, LISTENER } = require("./declaring");

// Values that are known only at the apply: a revision field, a name, a secret and the resource spec.
module.exports = (round) => {
  const fresh = round === 0 ? undefined : fromImage("fresh");
  const later = (before) => (fresh === undefined ? before : fresh.id.apply((id) => `${before}-${id}`));
  const chat = fromImage("chat", { sourceRevisionConfig: { imageUri: later("registry.example.com/chat") } });
  new pulumi.Stash("announced", { input: chat.revisionKey });
  fromImage("renamed", { name: later("agents-renamed") });
  fromImage("keyed", { secrets: { MODEL_API_KEY: later("golden secret"), STAYS: "golden" } });
  fromImage("labelled", {
    sourceConfig: {
      listenerId: LISTENER,
      resourceSpec: { minScale: 1, maxScale: 4, labels: { from: later("x") } },
    },
  });
};
