/** How a resource of ours reaches the engine: its options refused or passed on, its secrets as secret outputs. */
import * as pulumi from "@pulumi/pulumi";
import { secretNamesIn } from "../../provider/fields/check";
import type { Rows } from "../../provider/fields/kind";
import { PACKAGE, pluginTypeToken, typeToken } from "../../provider/fields/naming";
import { isAbsent } from "../../provider/fields/value";
import { isAnswered } from "../../provider/fields/wire";
import { pack } from "../../provider/host/packing";
import { refuseBadConfiguration } from "./configuration";
import { refuseLostEntries, withText } from "./lostEntries";
import { type Options, ofDestruction, refuseOptions, timeoutsIn } from "./options";
import { refusal } from "./refusal";
import { withoutStacks } from "./stacks";

export type { Options } from "./options";
/** Of a resource that is only read. */
export type ReadOptions = Options & { connection?: string };

/** A class: its type, and the tables of its arguments and outputs. */
export function definition(type: string, argumentRows: Rows, ...outputRows: readonly Rows[]) {
  return { type, argumentRows, outputRows: Object.assign({}, ...outputRows) as Rows };
}

type Definition = ReturnType<typeof definition>;

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
  readonly #super: SuperArguments;
  #stacks = { placed: (error: unknown) => error, restore: () => {} };

  constructor(definition: Definition, name: string, args: object | Read, options: Options | undefined) {
    refuseBadConfiguration();
    const { type, argumentRows, outputRows } = definition;
    const isRead = args instanceof Read;
    const given = isRead ? readOnly(args) : declared(definition, name, { ...args }, options);
    const properties = {
      ...places({ ...(isRead ? answeredRows(argumentRows) : {}), ...outputRows }),
      ...given,
      ...pack({
        provider: providerText(type.charAt(0).toLowerCase() + type.slice(1)),
        urn: urnOf(typeToken(type), name, options?.parent),
      }),
    };
    this.#definition = definition;
    const own = isRead ? options : withAlias(type, name, options);
    this.#super = [typeToken(type), name, properties, withSecretOutputs(argumentRows, own)];
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

  /** The outputs that are secret as a whole, as they were given. */
  #readable(resource: pulumi.Resource): Values {
    const names = (this.#super[3]?.additionalSecretOutputs ?? []).filter((name) =>
      Object.hasOwn(resource, name),
    );
    const outputs = resource as unknown as { readonly [name: string]: pulumi.Output<unknown> };
    return Object.fromEntries(names.map((name) => [name, outputs[name]?.apply(withoutMarks)]));
  }

  /**
   * Makes the arguments that were not registered known to be none: a property without an answer is unknown in every
   * plan, with all that depends on it. What the program did not give has no property yet, unless a transformation gave
   * it: that one the engine answers.
   */
  end(resource: pulumi.Resource): void {
    this.#stacks.restore();
    const none = Object.keys(this.#definition.argumentRows).filter((name) => !Object.hasOwn(resource, name));
    Object.assign(resource, Object.fromEntries(none.map((name) => [name, NONE])), this.#readable(resource));
  }
}

const NONE = pulumi.output(undefined);

/**
 * The engine marks a secret output as a whole and each secret within it; the SDK takes one of the marks off, and would
 * give the program the other one in place of the value. Both are off here, and the output is secret all the same.
 */
function withoutMarks(value: unknown): unknown {
  return pulumi.runtime.isRpcSecret(value) ? withoutMarks(pulumi.runtime.unwrapRpcSecret(value)) : value;
}

/** The arguments that a service answers for a resource that is only read; of the others it has none. */
function answeredRows(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([, field]) => isAnswered(field)));
}

/** The engine itself keeps an id. */
function places(rows: Rows): Values {
  const { id: _kept, ...others } = rows;
  return Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
}

function declared(definition: Definition, name: string, args: Values, options: Options | undefined): Values {
  const { type, argumentRows } = definition;
  refuseOptions(type, name, options);
  refuseLostEntries(`${type} "${name}"`, args);
  // The engine does not pass time-outs on to dynamic resources, so they travel as an input.
  const timeouts = timeoutsIn(`${type} "${name}"`, options);
  const given = withSecrets(argumentRows, args);
  return {
    ...given,
    ...pack({ timeouts, ...ofDestruction(type, options), secretPaths: secretPaths(given) }),
  };
}

/** The arguments that are given, those of secret rows as secret outputs. */
function withSecrets(rows: Rows, args: Values): Values {
  const secret = secretNamesIn(rows);
  const given = Object.entries(args).filter(([, value]) => !isAbsent(value));
  return Object.fromEntries(
    given.map(([name, value]) => [name, withText(secret.includes(name) ? asSecret(value) : value)]),
  );
}

/** Each entry of a map on its own, so that the names stay readable and the plan shows each that changes. */
function asSecret(value: unknown): unknown {
  // Anything but a plain map (an output, or a mistake that the provider will name) is secret as a whole.
  const isMap =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isMap) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, pulumi.secret(entry)]));
}

/** Paths of the arguments that are secret outputs, so that no plan line shows them; undefined where none can be. */
function secretPaths(args: Values): Promise<string[] | undefined> | undefined {
  // The provider never shows these.
  const outputs = outputsIn(args, []).filter(([path]) => path[0] !== "secrets");
  if (outputs.length === 0) return undefined;
  const paths = outputs.map(async ([path, output]) =>
    (await pulumi.isSecret(output)) ? [path.join(".")] : [],
  );
  return Promise.all(paths).then((found) => {
    const secret = [...new Set(found.flat())];
    return secret.length > 0 ? secret : undefined;
  });
}

function outputsIn(value: unknown, path: string[]): [path: string[], output: pulumi.Output<unknown>][] {
  if (pulumi.Output.isInstance(value)) return [[path, value]];
  // It may resolve to a secret output.
  if (value instanceof Promise) return [[path, pulumi.output(value)]];
  // A list is compared as a whole, so its path is where its value would show.
  if (Array.isArray(value)) return value.flatMap((element) => outputsIn(element, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => outputsIn(member, [...path, name]));
}

function readOnly({ connection }: Read): Values {
  return { ...pack({ readOnly: true }), ...(connection === undefined ? {} : { connection }) };
}

/**
 * What the plugin has recorded is the same resource. The provider refuses to go on with that; without the alias the
 * engine would ask nobody, make a second one and delete the first. As text where it can be: the SDK takes a fifth of the
 * time over it.
 */
function withAlias(type: string, name: string, options: Options | undefined): Options {
  const token = pluginTypeToken(type);
  const alias = options?.parent === undefined ? urnOf(token, name, undefined) : { type: token };
  return pulumi.mergeOptions(options, { aliases: [alias] });
}

function withSecretOutputs(rows: Rows, options: Options | undefined): Options | undefined {
  const additionalSecretOutputs = secretNamesIn(rows);
  if (additionalSecretOutputs.length === 0) return options;
  return pulumi.mergeOptions(options, { additionalSecretOutputs });
}

/**
 * Text where it can be: every output costs the program time, and most resources have no parent. Of an output with the
 * parent's URN the value alone is passed on: as a dependency the parent stands for all of its children, and two of them
 * of which one takes an output of the other would wait for each other for ever.
 */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
  const urn = pulumi.createUrn(name, type, parent);
  return pulumi.runtime.serializeProperties(type, { urn }).then((values) => values.urn as string);
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
  options: ReadOptions | undefined,
): T {
  if (isAbsent(id)) throw refusal(`${resource.name}.get("${name}"): the id is missing`);
  const { connection, ...others } = options ?? {};
  const construct = resource as unknown as new (name: string, args: Read, options: Options) => T;
  return new construct(name, new Read(connection), { ...others, id });
}
