const pulumi = require("@pulumi/pulumi");
const { fromImage, image } = require("./declaring");

// A new name replaces the deployment, and the resources that follow its revisions change too.
module.exports = (round) => {
  const name = round === 0 ? "agents-chat" : "agents-chat-next";
  const chat = fromImage("chat", { name, ...image("chat", `1.${round}.0`) });
  new pulumi.Stash("announced", { input: chat.revisionKey });
  fromImage("research", { revisionTriggers: { chat: chat.revisionKey } });
};
