/** The rules of the pack. Each rule is a function that takes one resource, so a unit test can call it. */
import type { ResourceValidation, ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";

/** The resource types of a deployment: the dynamic resource, and the plugin's resource. */
const TYPES = ["pulumi-nodejs:dynamic/deployment-control:Deployment", "deployment-control:index:Deployment"];

const ofDeployments =
  (validate: ResourceValidation): ResourceValidation =>
  (resource, report) =>
    TYPES.includes(resource.type) ? validate(resource, report) : undefined;

/** Patterns for a commit and for a digest. Commits and digests never change; a branch or a tag can move. */
const COMMIT = /^[0-9a-f]{40}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

const stackOf = ({ urn }: ResourceValidationArgs): string => urn.split("::")[0]?.split(":")[2] ?? "";

export const fixedRevision: ResourceValidationPolicy = {
  name: "fixed-revision",
  description:
    "In production the revision is of a commit or of a digest, so that nobody can change it afterwards.",
  configSchema: {
    properties: { stacks: { type: "array", items: { type: "string" }, default: ["production"] } },
  },
  validateResource: ofDeployments((resource, report) => {
    const { stacks } = resource.getConfig<{ stacks: string[] }>();
    if (!stacks.includes(stackOf(resource))) return;
    const { imageUri, repoRef } = resource.props.sourceRevisionConfig ?? {};
    if (imageUri && !DIGEST.test(imageUri))
      report("sourceRevisionConfig.imageUri: its tag can move; give the digest, such as name@sha256:…");
    if (repoRef && !COMMIT.test(repoRef))
      report("sourceRevisionConfig.repoRef: a branch or tag can move; give the commit, with its 40 digits");
  }),
};

export const scaleCeiling: ResourceValidationPolicy = {
  name: "scale-ceiling",
  description: "No deployment may grow over a number of instances.",
  configSchema: { properties: { maxScale: { type: "integer", default: 10 } } },
  validateResource: ofDeployments((resource, report) => {
    const { maxScale: ceiling } = resource.getConfig<{ maxScale: number }>();
    const spec = resource.props.sourceConfig?.resourceSpec ?? {};
    for (const name of ["minScale", "maxScale", "queueMinScale", "queueMaxScale"])
      if (spec[name] > ceiling)
        report(`sourceConfig.resourceSpec.${name}: ${spec[name]} is over the ceiling of ${ceiling}`);
  }),
};

/** The prefixes of well-known keys; the provider also warns about such keys. */
export const CREDENTIAL =
  /^(sk-|gh[pousr]_|github_pat_|glpat-|lsv2_|A[KS]IA[0-9A-Z]{12}|xox[abeoprs]-|AIza|hf_|-----BEGIN)/;

/** Names of variables that hold a credential, such as OPENAI_API_KEY. */
const NAME = /(^|_)(key|token|secret|password|passphrase)$/i;

export const noPlainSecret: ResourceValidationPolicy = {
  name: "no-plain-secret",
  description:
    "A variable that looks like a credential belongs in secrets, because plan and state show environment.",
  validateResource: ofDeployments((resource, report) => {
    // Never show the value, because the message is logged.
    for (const [name, value] of Object.entries(resource.props.environment ?? {}))
      if (NAME.test(name) || CREDENTIAL.test(String(value).trim()))
        report(`environment.${name}: looks like a credential; give it in secrets`);
  }),
};

export const rules = [fixedRevision, scaleCeiling, noPlainSecret];
