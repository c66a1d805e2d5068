import * as pulumi from "@pulumi/pulumi";
import { Deployment, SmokeTest } from "pulumi-deployment-control";

const settings = new pulumi.Config("smokeTest");
const minScale = settings.getNumber("minScale") ?? 1;
const imageTag = settings.get("imageTag") ?? "1.0.0";

// The graph that is asked: the embedded service has one of this name, which repeats what it is told.
const assistantId = settings.get("assistantId") ?? "echo";
const question = settings.get("question") ?? "Say hello.";

const chat = new Deployment("chat", {
  name: "smoke-chat",
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale } },
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${imageTag}` },
});

// The embedded service runs each deployment below its own address. Elsewhere this is the address of the deployment,
// such as the `customUrl` that the program gives it: an output of the deployment would be unknown in its next plan.
const service = new pulumi.Config("deployment-control");
const deploymentUrl = pulumi.interpolate`${service.require("baseUrl")}/runtime/${chat.id}`;

// Asked after each new revision, and only then: `up` fails when the answer is wrong.
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
