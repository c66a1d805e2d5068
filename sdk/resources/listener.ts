import * as pulumi from "@pulumi/pulumi";
import { listenerComputedRows, listenerOutputRows, listenerRows } from "../../provider/schema/listener";
import {
  definition,
  type Options,
  type Read,
  type ReadOptions,
  Registration,
  readResource,
} from "./registration";
import type { ListenerArgs, ListenerOutputs } from "./types";

const LISTENER = definition("Listener", listenerRows, listenerOutputRows, listenerComputedRows);

export interface Listener extends ListenerOutputs {}

/**
 * A listener: compute infrastructure on which deployments run. A declaration takes over the listener with this compute
 * type and id. If there is no such listener, a service that can create listeners creates one.
 */
export class Listener extends pulumi.CustomResource {
  /** Declares a listener. Bad arguments are refused at preview. */
  constructor(name: string, args: ListenerArgs, options?: Options);
  constructor(name: string, args: ListenerArgs | Read, options?: Options) {
    const registration = new Registration(LISTENER, name, args, options);
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
  }

  /** Reads a listener that this program does not manage. An unknown id is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: ReadOptions): Listener {
    return readResource(Listener, name, id, options);
  }
}
