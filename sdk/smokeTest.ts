import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../provider/fields/kind";
import { type SmokeTestReport, smokeTestRows } from "../provider/fields/smokeTest";
import type { ArgumentsOf } from "./inputs";
import { declared, type Options, typeToken } from "./registration";

type Values = ValuesOf<typeof smokeTestRows>;

/** Arguments of a smoke test. */
export type SmokeTestArgs = ArgumentsOf<Values>;

const OUTPUTS = [...Object.keys(smokeTestRows), "reply", "threadId", "runId", "seconds"];

/**
 * A question to a running deployment. It is asked at creation and whenever the question, the expectation or a trigger
 * changes; a wrong answer fails the `up`, and the next one asks again. A refresh and a destroy send nothing.
 */
export class SmokeTest extends pulumi.CustomResource {
  declare readonly deploymentUrl: pulumi.Output<Values["deploymentUrl"]>;
  declare readonly assistantId: pulumi.Output<Values["assistantId"]>;
  declare readonly messages: pulumi.Output<Values["messages"]>;
  declare readonly expect: pulumi.Output<Values["expect"]>;
  declare readonly triggers: pulumi.Output<Values["triggers"]>;
  declare readonly timeoutSeconds: pulumi.Output<Values["timeoutSeconds"]>;
  declare readonly connection: pulumi.Output<Values["connection"]>;
  declare readonly apiKey: pulumi.Output<Values["apiKey"]>;
  declare readonly authHeader: pulumi.Output<Values["authHeader"]>;
  declare readonly authScheme: pulumi.Output<Values["authScheme"]>;
  declare readonly allowInsecure: pulumi.Output<Values["allowInsecure"]>;
  /** Text of the last message that came. */
  declare readonly reply: pulumi.Output<SmokeTestReport["reply"]>;
  /** Thread on which it came. */
  declare readonly threadId: pulumi.Output<SmokeTestReport["threadId"]>;
  /** Run of which it came. */
  declare readonly runId: pulumi.Output<SmokeTestReport["runId"]>;
  /** How long it took. */
  declare readonly seconds: pulumi.Output<SmokeTestReport["seconds"]>;

  /** Declares a smoke test. Bad arguments are refused at preview. */
  constructor(name: string, args: SmokeTestArgs, options?: Options) {
    const secret = args.apiKey === undefined ? {} : { apiKey: pulumi.secret(args.apiKey) };
    super(
      typeToken("SmokeTest"),
      name,
      declared("SmokeTest", name, { ...args, ...secret }, OUTPUTS, options),
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["apiKey"] }),
    );
  }
}
