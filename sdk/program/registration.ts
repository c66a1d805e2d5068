/** How a resource of ours reaches the engine. */
import * as pulumi from "@pulumi/pulumi";
import type { Rows } from "../../provider/fields/kind";
import { PACKAGE, typeToken } from "../../provider/fields/naming";
import { isAnswered } from "../../provider/fields/wire";
import { READ_ONLY, RETAINED, SECRET_PATHS, TIMEOUTS, URN } from "../../provider/host/carried";
import { refuseBadConfiguration } from "./configuration";
import { type Options, refuseOptions, timeoutsIn } from "./options";
import { refusal } from "./refusal";
import { secretNames, secretPaths, withSecrets } from "./secrets";
import { withoutStacks } from "./stacks";

/** A class: its type, and the tables of its arguments and outputs. */
export interface Definition {
  readonly type: string;
  readonly argumentRows: Rows;
  readonly outputRows: Rows;
}

/** Stands for the arguments of a resource that is only read. */
export class Read {
  constructor(readonly connection: string | undefined) {}
}

type Values = { readonly [name: string]: unknown };
type SuperArguments = [type: string, name: string, properties: pulumi.Inputs, options: Options | undefined];

/**
 * One resource on its way to the engine: `super(...registration.begin())`, then `end`; where `super` fails, `failed`.
 *
 * No base class can do this for our classes: the SDK counts constructors to find where a resource is declared.
 */
export class Registration {
  readonly #definition: Definition;
  readonly #args: object | Read;
  readonly #super: SuperArguments;
  #stacks = { placed: (error: unknown) => error, restore: () => {} };

  constructor(definition: Definition, name: string, args: object | Read, options: Options | undefined) {
    refuseBadConfiguration();
    const { type, argumentRows, outputRows } = definition;
    const given = args instanceof Read ? readOnly(args) : declared(definition, name, { ...args }, options);
    const properties = {
      ...places({ ...argumentRows, ...outputRows }),
      ...given,
      __provider: providerText(type.charAt(0).toLowerCase() + type.slice(1)),
      [URN]: urnOf(typeToken(type), name, options?.parent),
    };
    this.#definition = definition;
    this.#args = args;
    this.#super = [typeToken(type), name, properties, withSecretOutputs(argumentRows, options)];
  }

  /** What `super` takes. From here on errors note no stacks. */
  begin(): SuperArguments {
    this.#stacks = withoutStacks();
    return this.#super;
  }

  /** The error to throw where `super` threw this one. */
  failed(error: unknown): unknown {
    return this.#stacks.placed(error);
  }

  /**
   * Makes the arguments that no answer will name known to be none: a property without an answer is unknown in every plan,
   * with all that depends on it. The engine answers nothing for what the program did not give; of a resource that is
   * only read, no service answers some arguments.
   */
  end(resource: pulumi.Resource): void {
    this.#stacks.restore();
    const isRead = this.#args instanceof Read;
    const given = { ...this.#args } as Values;
    const none = Object.entries(this.#definition.argumentRows).filter(
      ([name, field]) => (given[name] ?? undefined) === undefined && !(isRead && isAnswered(field)),
    );
    Object.assign(resource, Object.fromEntries(none.map(([name]) => [name, NONE])));
  }
}

const NONE = pulumi.output(undefined);

/** The engine itself keeps an id. */
function places(rows: Rows): Values {
  const { id: _kept, ...others } = rows;
  return Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
}

function declared(definition: Definition, name: string, args: Values, options: Options | undefined): Values {
  const { type, argumentRows } = definition;
  refuseOptions(type, name, options);
  // The engine does not pass time-outs on to dynamic resources, so they travel as an input.
  const timeouts = timeoutsIn(`${type} "${name}"`, options);
  const given = withSecrets(argumentRows, args);
  const secret = secretPaths(given);
  return {
    ...given,
    ...(timeouts === undefined ? {} : { [TIMEOUTS]: timeouts }),
    ...(type === "Deployment" && options?.retainOnDelete === true ? { [RETAINED]: true } : {}),
    ...(secret === undefined ? {} : { [SECRET_PATHS]: secret }),
  };
}

function readOnly({ connection }: Read): Values {
  return { [READ_ONLY]: true, ...(connection === undefined ? {} : { connection }) };
}

function withSecretOutputs(rows: Rows, options: Options | undefined): Options | undefined {
  const additionalSecretOutputs = secretNames(rows);
  if (additionalSecretOutputs.length === 0) return options;
  return pulumi.mergeOptions(options, { additionalSecretOutputs });
}

/** Text where it can be: every output costs the program time, and most resources have no parent. */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  if (parent !== undefined) return pulumi.createUrn(name, type, parent);
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

/**
 * The code that the provider process runs for the resource: constant text, the same on every machine and in every
 * version. It stands in the state twice per resource, so it is kept short and captures nothing.
 */
export function providerText(resource: string): string {
  return `exports.handler = () => require("${PACKAGE}/provider").${resource};`;
}

/** Declares a resource of the class that is only read. Its constructor takes `Read`, which its public type does not show. */
export function readResource<T>(
  resource: new (...given: never[]) => T,
  name: string,
  id: pulumi.Input<pulumi.ID>,
  options: (Options & { connection?: string }) | undefined,
): T {
  if (id === undefined || id === null) throw refusal(`${resource.name}.get("${name}"): the id is missing`);
  const { connection, ...others } = options ?? {};
  const construct = resource as unknown as new (name: string, args: Read, options: Options) => T;
  return new construct(name, new Read(connection), { ...others, id });
}
