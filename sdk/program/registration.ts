/** Registers a resource of ours with the engine: refuses or passes on its options, and marks its secrets. */
import * as pulumi from "@pulumi/pulumi";
import { type Rows, secretNamesIn, secretPathsIn } from "../../provider/fields/kind";
import { PACKAGE, pluginTypeToken, providerName, typeToken } from "../../provider/fields/naming";
import { isAbsent, valueAt } from "../../provider/fields/value";
import { isAnswered } from "../../provider/fields/wire";
import { pack } from "../../provider/host/packing";
import { refuseBadConfiguration, secretSettings } from "./configuration";
import { destructionOptions, type Options, refuseOptions, timeoutsIn } from "./options";
import { refusal, refuseLostEntries, withText } from "./refusal";

export type { Options } from "./options";
/** Options of a resource that is only read. */
export type ReadOptions = Options & { connection?: string };

/**
 * Stops errors from recording stacks until `restore`, which must follow in the same turn.
 *
 * For each property of a resource, the SDK creates an error only for its stack, to find promises that never settle. With
 * TypeScript's source maps this takes longer than the rest of the program. `PULUMI_DEBUG_PROMISE_LEAKS` turns that search on,
 * and then stacks are recorded. The SDK still records where the resource is declared, and raises the limit itself for that.
 * It finds the place by counting constructors and expects one of ours, so each class calls this around its own `super`.
 */
function withoutStacks() {
  const limit = Error.stackTraceLimit;
  const restore = () => {
    Error.stackTraceLimit = limit;
  };
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  /** Adds the place of the resource's declaration to an error without a stack. */
  const locate = (error: unknown) => {
    restore();
    if (error instanceof Error && !/\n\s+at /.test(error.stack ?? "")) Error.captureStackTrace(error, locate);
    return error;
  };
  return { locate, restore };
}

/** A resource class: its type, and the tables of its arguments and outputs. */
export function definition(type: string, argumentRows: Rows, ...outputRows: readonly Rows[]) {
  return { type, argumentRows, outputRows: Object.assign({}, ...outputRows) as Rows };
}

type Definition = ReturnType<typeof definition>;

/** Replaces the arguments of a resource that is only read. */
export class Read {
  constructor(readonly connection: string | undefined) {}
}

type Values = { readonly [name: string]: unknown };
type SuperArguments = [type: string, name: string, properties: pulumi.Inputs, options: Options | undefined];

/**
 * One resource on its way to the engine: `super(...registration.begin())`, then `end`; if `super` fails, `failed`.
 *
 * No base class can do this for our classes: the SDK counts constructors to find where a resource is declared.
 */
export class Registration {
  readonly #definition: Definition;
  readonly #super: SuperArguments;
  #stacks = { locate: (error: unknown) => error, restore: () => {} };

  constructor(
    definition: Definition,
    name: string,
    args: object | Read,
    options: Options | undefined,
    facts: { readonly ofDeployment?: true } = {},
  ) {
    refuseBadConfiguration();
    const { type, argumentRows, outputRows } = definition;
    const isRead = args instanceof Read;
    const inputs = isRead ? readInputs(args) : declaredInputs(definition, name, { ...args }, options);
    const properties = {
      ...placeholders({ ...(isRead ? answeredRows(argumentRows) : {}), ...outputRows }),
      ...inputs,
      ...pack({
        provider: providerText(providerName(type)),
        urn: urnOf(typeToken(type), name, options?.parent),
        secretSettings: secretSettings(),
        ...facts,
      }),
    };
    this.#definition = definition;
    const allOptions = isRead ? options : withAlias(type, name, options);
    this.#super = [typeToken(type), name, properties, withSecretOutputs(argumentRows, allOptions)];
  }

  /** The arguments of `super`. From here on, errors record no stacks. */
  begin(): SuperArguments {
    this.#stacks = withoutStacks();
    return this.#super;
  }

  /** The error to throw if `super` throws this one. */
  failed(error: unknown): unknown {
    return this.#stacks.locate(error);
  }

  /** The outputs that are secret as a whole, with their values unmarked. */
  #readable(resource: pulumi.Resource): Values {
    const names = (this.#super[3]?.additionalSecretOutputs ?? []).filter((name) =>
      Object.hasOwn(resource, name),
    );
    const outputs = resource as unknown as { readonly [name: string]: pulumi.Output<unknown> };
    return Object.fromEntries(names.map((name) => [name, outputs[name]?.apply(withoutMarks)]));
  }

  /**
   * Sets omitted arguments to undefined: a property that the provider does not return is unknown in every plan, and so
   * is everything that depends on it. The engine returns those that a transformation has set.
   */
  end(resource: pulumi.Resource): void {
    this.#stacks.restore();
    const none = Object.keys(this.#definition.argumentRows).filter((name) => !Object.hasOwn(resource, name));
    Object.assign(resource, Object.fromEntries(none.map((name) => [name, NONE])), this.#readable(resource));
  }
}

const NONE = pulumi.output(undefined);

/**
 * The engine marks both a secret output and each secret within it. The SDK removes one mark, and would give the program the
 * other one as the value. This removes both; the output stays secret.
 */
function withoutMarks(value: unknown): unknown {
  return pulumi.runtime.isRpcSecret(value) ? withoutMarks(pulumi.runtime.unwrapRpcSecret(value)) : value;
}

/** The arguments that a service returns for a resource that is only read. */
function answeredRows(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([, field]) => isAnswered(field)));
}

/** One undefined property per row. */
const placeholders = (rows: Rows): Values =>
  Object.fromEntries(Object.keys(rows).map((name) => [name, undefined]));

function declaredInputs(
  definition: Definition,
  name: string,
  args: Values,
  options: Options | undefined,
): Values {
  const { type, argumentRows } = definition;
  refuseOptions(type, name, options);
  refuseLostEntries(`${type} "${name}"`, args);
  // The engine does not pass time-outs on to dynamic resources, so they travel as an input.
  const timeouts = timeoutsIn(`${type} "${name}"`, options);
  const inputs = withSecrets(argumentRows, args);
  return {
    ...inputs,
    ...pack({ timeouts, ...destructionOptions(argumentRows, options), secretPaths: secretPaths(inputs) }),
  };
}

/** The arguments without absent ones; those of secret rows become secret outputs. */
function withSecrets(rows: Rows, args: Values): Values {
  const entries = Object.entries(args).filter(([, value]) => !isAbsent(value));
  const marked = secretPathsIn(rows).reduce<unknown>(withSecretAt, Object.fromEntries(entries));
  return Object.fromEntries(Object.entries(marked as Values).map(([name, value]) => [name, withText(value)]));
}

/** The value with a mark at that path. An output that holds the place becomes secret as a whole if it has a value there. */
function withSecretAt(value: unknown, [name, ...innerNames]: readonly string[]): unknown {
  if (name === undefined) return asSecret(value);
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply((inside) => withSecretAt(inside, [name, ...innerNames]));
  const member = valueAt(value, [name]);
  return isAbsent(member) ? value : { ...(value as Values), [name]: withSecretAt(member, innerNames) };
}

/** Marks each entry of a map separately, so that its name stays readable and the plan shows which entry changes. */
function asSecret(value: unknown): unknown {
  // Anything but a plain map (an output, or a mistake that the provider will name) is secret as a whole.
  const isMap =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isMap) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, pulumi.secret(entry)]));
}

/** Paths of the arguments that are secret outputs, so that no plan line shows them. */
function secretPaths(args: Values): Promise<string[] | undefined> | undefined {
  // The provider never shows values of `secrets`.
  const outputs = outputsIn(args, []).filter(([path]) => path[0] !== "secrets");
  if (outputs.length === 0) return undefined;
  const paths = outputs.map(async ([path, output]) =>
    (await pulumi.isSecret(output)) ? [path.join(".")] : [],
  );
  return Promise.all(paths).then((pathLists) => {
    const secret = [...new Set(pathLists.flat())];
    return secret.length > 0 ? secret : undefined;
  });
}

function outputsIn(value: unknown, path: string[]): [path: string[], output: pulumi.Output<unknown>][] {
  if (pulumi.Output.isInstance(value)) return [[path, value]];
  // A promise may resolve to a secret output.
  if (value instanceof Promise) return [[path, pulumi.output(value)]];
  // Lists are compared whole, so a plan line would show an element at the path of its list.
  if (Array.isArray(value)) return value.flatMap((element) => outputsIn(element, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => outputsIn(member, [...path, name]));
}

function readInputs({ connection }: Read): Values {
  return { ...pack({ readOnly: true }), ...(connection === undefined ? {} : { connection }) };
}

/**
 * The alias matches the same resource as recorded by the plugin, which the provider refuses to take over. Without the alias
 * the engine would create a second one and delete the first, without asking. The alias is text if possible, which takes the
 * SDK a fifth of the time.
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
 * Text if possible: every output costs the program time, and most resources have no parent. With a parent, only the URN's
 * value is passed on: depending on a parent means depending on all of its children, so two children of which one uses an
 * output of the other would deadlock.
 */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
  const urn = pulumi.createUrn(name, type, parent);
  return pulumi.runtime.serializeProperties(type, { urn }).then((values) => values.urn as string);
}

/**
 * The code that the provider process runs for the resource: constant text, the same on every machine and in every
 * version. The state holds it twice per resource, so it is kept short and captures nothing.
 */
export function providerText(resource: string): string {
  return `exports.handler = () => require("${PACKAGE}/provider").${resource};`;
}

/** Declares a resource that is only read. The constructor takes `Read`, although its public type does not show it. */
export function readResource<T>(
  resource: new (...args: never[]) => T,
  name: string,
  id: pulumi.Input<pulumi.ID>,
  options: ReadOptions | undefined,
): T {
  if (isAbsent(id)) throw refusal(`${resource.name}.get("${name}"): the id is missing`);
  const { connection, ...engineOptions } = options ?? {};
  const construct = resource as unknown as new (name: string, args: Read, options: Options) => T;
  return new construct(name, new Read(connection), { ...engineOptions, id });
}
