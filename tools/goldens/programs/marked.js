const pulumi = require("@pulumi/pulumi");
const { fromImage, LISTENER } = require("./declaring");

// Declares values that the program itself marks as secret, and maps that are secret as a whole.
module.exports = (round) => {
  fromImage("image", {
    sourceRevisionConfig: { imageUri: pulumi.secret(`registry.example.com/hidden:${round}`) },
  });
  fromImage("labels", {
    sourceConfig: pulumi.secret({ listenerId: LISTENER, resourceSpec: { minScale: 1 + round } }),
  });
  fromImage("secrets", {
    secrets: pulumi.secret({
      MODEL_API_KEY: `golden secret ${round}`,
      ...(round === 0 ? {} : { EXTRA: "golden" }),
    }),
  });
  fromImage("same", { sourceRevisionConfig: { imageUri: pulumi.secret("registry.example.com/hidden:1") } });
};
