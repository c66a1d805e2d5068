import * as pulumi from "@pulumi/pulumi";
import { smokeTestOutputRows, smokeTestRows } from "../../provider/fields/smokeTest";
import { definition, type Options, Registration } from "./registration";
import type { SmokeTestArgs, SmokeTestOutputs } from "./types";

const SMOKE_TEST = definition("SmokeTest", smokeTestRows, smokeTestOutputRows);

export interface SmokeTest extends SmokeTestOutputs {}

/**
 * A question to a running deployment, asked at creation and whenever the question, the expectation or a trigger changes. A
 * wrong answer fails the `up`, and the next `up` asks again. A refresh and a destroy send nothing.
 */
export class SmokeTest extends pulumi.CustomResource {
  /** Declares a smoke test. Bad arguments are refused at preview. */
  constructor(name: string, args: SmokeTestArgs, options?: Options) {
    const registration = new Registration(SMOKE_TEST, name, args, options);
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
  }
}
