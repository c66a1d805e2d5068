import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../../provider/fields/kind";
import { typeToken } from "../../provider/fields/naming";
import { type SmokeTestReport, smokeTestRows } from "../../provider/fields/smokeTest";
import type { ArgumentsOf } from "./inputs";
import { declared, type Options, settleNotGiven } from "./registration";
import { withoutStacks } from "./stacks";

type Values = ValuesOf<typeof smokeTestRows>;

/** Arguments of a smoke test. */
export type SmokeTestArgs = ArgumentsOf<Values>;

const OUTPUTS = [...Object.keys(smokeTestRows), "reply", "threadId", "runId", "seconds"];

/**
 * A question to a running deployment. It is asked at creation and whenever the question, the expectation or a trigger
 * changes; a wrong answer fails the `up`, and the next one asks again. A refresh and a destroy send nothing.
 */
export class SmokeTest extends pulumi.CustomResource {
  /** Address of the running deployment. */
  declare readonly deploymentUrl: pulumi.Output<Values["deploymentUrl"]>;
  /** Name under which the graph is deployed. */
  declare readonly assistantId: pulumi.Output<Values["assistantId"]>;
  /** What is said to it, in this order. */
  declare readonly messages: pulumi.Output<Values["messages"]>;
  /** What the text of the thread's last message has to be: exactly one of these. Parts of a message are joined. */
  declare readonly expect: pulumi.Output<Values["expect"]>;
  /** Any change of this map runs the test again; usually the `revisionKey` of the deployment. */
  declare readonly triggers: pulumi.Output<Values["triggers"]>;
  /** Longest time that a run of the test may take, in seconds; 120 unless given. */
  declare readonly timeoutSeconds: pulumi.Output<Values["timeoutSeconds"]>;
  /**
   * Name of a connection in the configuration, whose key, headers, time-outs and retries the questions take; what is
   * given here as an argument wins. Without it nothing of the configuration is sent: not every deployment is to see the
   * key of the control API.
   */
  declare readonly connection: pulumi.Output<Values["connection"]>;
  /** The credential of the deployment; that of the connection unless given. Over plain http it is refused unless the host is loopback or `allowInsecure` is set. */
  declare readonly apiKey: pulumi.Output<Values["apiKey"]>;
  /** Header of the credential; the connection's, or `X-Api-Key`, unless given. */
  declare readonly authHeader: pulumi.Output<Values["authHeader"]>;
  /** Word before the credential, such as `Bearer`. */
  declare readonly authScheme: pulumi.Output<Values["authScheme"]>;
  /** Allows to send the credential over plain http. */
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
    const properties = declared("SmokeTest", name, { ...args, ...secret }, OUTPUTS, options);
    const registered = pulumi.mergeOptions(options, { additionalSecretOutputs: ["apiKey"] });
    const stacks = withoutStacks();
    try {
      super(typeToken("SmokeTest"), name, properties, registered);
    } catch (error) {
      throw stacks.placed(error);
    } finally {
      stacks.restore();
    }
    settleNotGiven(this, smokeTestRows, args);
  }
}
