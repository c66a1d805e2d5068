import * as pulumi from "@pulumi/pulumi";
import { Deployment, SmokeTest } from "pulumi-deployment-control";

const settings = new pulumi.Config("stackPerRequest");
const imageTag = settings.get("imageTag") ?? "1.0.0";
const question = settings.get("question") ?? "Say hello.";

// The stack `pr-12` is the preview of pull request 12: a small deployment with a separate name. The deployment is
// deleted when the request closes.
const stack = pulumi.getStack();
const isPreview = /^pr-\d+$/.test(stack);

const chat = new Deployment("chat", {
  name: isPreview ? `chat-${stack}` : "chat",
  displayName: settings.get("title"),
  source: "external_docker",
  sourceConfig: { resourceSpec: isPreview ? { minScale: 1, maxScale: 1 } : { minScale: 2, maxScale: 10 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${imageTag}` },
  onDestroy: isPreview ? "delete" : "retain",
});

// A stack that CI creates has no configuration, so the recipe passes these two settings as variables.
const service = new pulumi.Config("deployment-control");
const baseUrl = process.env.DEPLOYMENT_CONTROL_BASE_URL ?? service.require("baseUrl");
const apiKey = process.env.DEPLOYMENT_CONTROL_API_KEY ?? service.requireSecret("apiKey");

// The embedded service runs each deployment at a path below the service's address. With any other service, give the
// deployment's own address.
const deploymentUrl = pulumi.interpolate`${baseUrl}/runtime/${chat.id}`;

const greeting = new SmokeTest("greeting", {
  deploymentUrl,
  apiKey,
  assistantId: settings.get("assistantId") ?? "echo",
  messages: [{ role: "user", content: question }],
  expect: { matches: "[Hh]ello" },
  triggers: { revision: chat.revisionKey },
  timeoutSeconds: 60,
});

// The comment on the pull request shows these outputs.
export const url = deploymentUrl;
export const reply = greeting.reply;
