const { fromImage, fromRepository, image, scale, LISTENER } = require("./declaring");

const OTHER = "9d2c7a54-2f0e-4f3b-8f57-0a6a5de2c111";
const repository = (round, more) => ({
  integrationId: "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
  repoUrl: "https://repohost.example/acme/builder",
  deploymentType: "prod",
  ...(round === 0 ? { installCommand: "make deps" } : more),
});

module.exports = (round) => {
  fromImage("scaled", scale(1 + round));
  fromImage("titled", { displayName: `Title ${round}` });
  fromImage("image", image("image", `1.${round}.0`));
  fromImage("moved", {
    sourceConfig: { listenerId: round === 0 ? LISTENER : OTHER, resourceSpec: { minScale: 1 } },
  });
  fromImage("keyed", { secrets: { MODEL_API_KEY: `golden secret ${round}` } });
  fromImage("emptied", { secrets: round === 0 ? { LAST: "golden secret" } : undefined });
  fromRepository("builder", "main", {
    sourceConfig: repository(round, { buildCommand: "make", installCommand: "make deps" }),
  });
  fromRepository("forgets", "main", { sourceConfig: repository(round, {}) });
  if (round === 0) fromImage("gone");
};
