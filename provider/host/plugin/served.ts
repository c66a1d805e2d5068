/** What the plugin's server has to know of each kind of resource, beside what the resource does. */
import type { Rows } from "../../fields/kind";
import type { Properties } from "../../fields/value";
import type { Resource } from "../../resource";

export interface ServedResource {
  readonly resource: Resource;
  /** Its outputs beside the arguments. */
  readonly outputRows: Rows;
  /** Why no state can be made of what an id names; undefined where the service shows it. */
  readonly unreadable?: string;
  /** Outputs that only this host has, made from the others; `id` is undefined while it is not known. */
  readonly derived?: (id: string | undefined, outputs: Properties) => Properties;
}

/** A look-up: its answer stands in an object under one name. */
export interface ServedFunction {
  readonly name: string;
  readonly call: (source: (key: string) => string | undefined, args: Properties) => Promise<unknown[]>;
}

/** Type and function tokens end with these names. */
export interface Served {
  readonly version: string;
  readonly schema: () => string;
  readonly resources: { readonly [name: string]: () => ServedResource };
  readonly functions: { readonly [name: string]: ServedFunction };
  /** One sentence fit to be shown; undefined for an error that nobody foresaw. */
  readonly wordsOfFailure: (error: unknown) => string | undefined;
}
