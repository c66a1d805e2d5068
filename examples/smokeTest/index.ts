import * as pulumi from "@pulumi/pulumi";
import { Deployment, SmokeTest } from "pulumi-deployment-control";

const settings = new pulumi.Config("smokeTest");
const minScale = settings.getNumber("minScale") ?? 1;
const imageTag = settings.get("imageTag") ?? "1.0.0";

// The graph to ask. The embedded service has a graph `echo`, which repeats the user's message.
const assistantId = settings.get("assistantId") ?? "echo";
const question = settings.get("question") ?? "Say hello.";

const chat = new Deployment("chat", {
  name: "smoke-chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale } },
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${imageTag}` },
});

// The embedded service runs each deployment at a path below the service's address. With any other service, give the
// deployment's address, such as its `customUrl`, as a plain string, because an output may be unknown in a plan.
const service = new pulumi.Config("deployment-control");
const deploymentUrl = pulumi.interpolate`${service.require("baseUrl")}/runtime/${chat.id}`;

// Asks the question after each new revision. If the answer is wrong, `pulumi up` fails.
const greeting = new SmokeTest("greeting", {
  deploymentUrl,
  apiKey: service.requireSecret("apiKey"),
  assistantId,
  messages: [{ role: "user", content: question }],
  expect: { matches: "[Hh]ello" },
  triggers: { revision: chat.revisionKey },
  timeoutSeconds: 60,
});

export const reply = greeting.reply;
export const seconds = greeting.seconds;
