const { classOf, fromImage, fromRepository } = require("./declaring");

const Listener = classOf("Listener");

module.exports = () => {
  const cluster = new Listener("cluster", { computeType: "k8s", computeId: "agents-cluster" });
  fromImage("chat", {
    sourceConfig: { listenerId: cluster.id, resourceSpec: { minScale: 1 } },
    secrets: { MODEL_API_KEY: "a secret of the goldens" },
  });
  fromRepository("research", "main");
};
