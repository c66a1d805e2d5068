import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../../provider/fields/kind";
import { listenerOutputRows, listenerRows } from "../../provider/fields/listener";
import { typeToken } from "../../provider/fields/naming";
import type { ArgumentsOf } from "./inputs";
import { declared, gotten, type Options, Read, settleNotGiven, settleUnanswered } from "./registration";
import { withoutStacks } from "./stacks";

type Values = ValuesOf<typeof listenerRows>;
type Reported = ValuesOf<typeof listenerOutputRows>;

/** Arguments of a listener. */
export interface ListenerArgs extends ArgumentsOf<Values> {}

const OUTPUTS = [...Object.keys(listenerRows), ...Object.keys(listenerOutputRows), "serviceUrl"];

/**
 * A listener: compute infrastructure on which deployments run. Declaring one takes over the listener that has this
 * compute type and id; where the service can create listeners, a missing one is created.
 */
export class Listener extends pulumi.CustomResource {
  /** Kind of infrastructure. */
  declare readonly computeType: pulumi.Output<Values["computeType"]>;
  /** Id that the user gave the infrastructure, such as the cluster's name. */
  declare readonly computeId: pulumi.Output<Values["computeId"]>;
  /** Settings of the infrastructure. */
  declare readonly computeConfig: pulumi.Output<Values["computeConfig"]>;
  /** Version of the listener; managed only when given. Of one that is only read: null where the service names none. */
  declare readonly version: pulumi.Output<Values["version"] | null>;
  /** What destroying the resource does: leave the listener, delete it, or refuse. */
  declare readonly onDestroy: pulumi.Output<Values["onDestroy"]>;
  /** Name of the connection in the configuration; the default one unless given. */
  declare readonly connection: pulumi.Output<Values["connection"]>;
  /** When it was created, ISO 8601. */
  declare readonly createdAt: pulumi.Output<Reported["createdAt"]>;
  /** When it was last changed, ISO 8601. */
  declare readonly updatedAt: pulumi.Output<Reported["updatedAt"]>;
  /** Base URL of the service on which it lives. */
  declare readonly serviceUrl: pulumi.Output<string>;

  /** Declares a listener. Bad arguments are refused at preview. */
  constructor(name: string, args: ListenerArgs, options?: Options);
  constructor(name: string, args: ListenerArgs | Read, options?: Options) {
    const properties =
      args instanceof Read
        ? gotten("Listener", name, OUTPUTS, options, args.connection)
        : declared("Listener", name, args, OUTPUTS, options);
    const stacks = withoutStacks();
    try {
      super(typeToken("Listener"), name, properties, options);
    } catch (error) {
      throw stacks.placed(error);
    } finally {
      stacks.restore();
    }
    if (args instanceof Read) settleUnanswered(this, listenerRows, args);
    else settleNotGiven(this, listenerRows, args);
  }

  /** Reads a listener that this program does not manage. An id that the service does not have is an error. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: Options & { connection?: string },
  ): Listener {
    const { connection, ...others } = options ?? {};
    const construct = Listener as unknown as new (name: string, args: Read, options: Options) => Listener;
    return new construct(name, new Read(connection), { ...others, id });
  }
}
