import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../../../sdk/index";
import { mocks, refusalOf } from "../../../sdk/testing/index";
import { chatWithToken as chat } from "../../support/programArguments";

beforeEach(() => pulumi.runtime.setMocks(mocks()));

test.each<[string, object, string]>([
  ["an unset environment variable", { secrets: { A: "s-1", B: process.env.NOBODY_SETS_THIS } }, "secrets.B"],
  ["an output of undefined", { environment: { LEVEL: pulumi.output(undefined) } }, "environment.LEVEL"],
  ["a promise of undefined", { environment: { LEVEL: Promise.resolve(undefined) } }, "environment.LEVEL"],
  [
    "undefined in a map that is an output",
    { environment: pulumi.output({ LEVEL: undefined }) },
    "environment.LEVEL",
  ],
  ["undefined in a secret map", { secrets: pulumi.secret({ A: "s-1", B: undefined }) }, "secrets.B"],
])(
  "a variable without a value is refused, because Pulumi would silently leave it out: %s",
  async (_, args, path) => {
    const words = await refusalOf(
      () => new Deployment("chat", { ...chat, ...(args as { secrets?: never }) }),
    );
    expect(words).toContain(`${path}: has no value; allowed: a string`);
  },
);
