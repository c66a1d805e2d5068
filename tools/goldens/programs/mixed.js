const pulumi = require("@pulumi/pulumi");
const { fromImage, image, scale } = require("./declaring");

// Declares one deployment for each verdict, so that the plan can be compared with the result.
module.exports = (round) => {
  fromImage("stays");
  const chat = fromImage("revised", image("revised", `1.${round}.0`));
  fromImage("scaled", scale(1 + round));
  fromImage("keyed", { secrets: { MODEL_API_KEY: `golden secret ${round}` } });
  fromImage("renamed", { name: `agents-renamed-${round}` });
  if (round === 0) fromImage("gone");
  else fromImage("fresh");
  new pulumi.Stash("announced", { input: chat.revisionKey });
};
