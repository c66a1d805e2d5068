/** Registers this package's resources with the engine. Passes on or refuses their options, and marks their secrets. */
import * as pulumi from "@pulumi/pulumi";
import { pack } from "../../provider/engine/packing";
import { type Rows, secretNamesIn, secretPathsIn } from "../../provider/schema/kind";
import { pluginTypeToken, providerName, typeToken } from "../../provider/schema/naming";
import { isAbsent, valueAt } from "../../provider/schema/value";
import { isAnswered } from "../../provider/schema/wire";
import { refuseBadConfiguration, secretSettings } from "./configuration";
import { destructionOptions, type Options, refuseOptions, timeoutsIn } from "./options";
import { providerText } from "./providerText";
import { isPlain, refusal, refuseLostEntries, withText } from "./refusal";

export type { Options } from "./options";
/** The options of a resource that is only read. */
export type ReadOptions = Options & { connection?: string };

export function definition(type: string, argumentRows: Rows, ...outputRows: readonly Rows[]) {
  return { type, argumentRows, outputRows: Object.assign({}, ...outputRows) as Rows };
}

type Definition = ReturnType<typeof definition>;

/** Stands in for the arguments of a resource that is only read. */
export class Read {
  constructor(readonly connection: string | undefined) {}
}

type Values = { readonly [name: string]: unknown };
type SuperArguments = [type: string, name: string, properties: pulumi.Inputs, options: Options | undefined];

/**
 * The registration of one resource. Call `super(...registration.begin())`, then `end`, or `failed` if `super` throws.
 * No base class can call these methods, because the SDK counts constructors to find the place of a declaration.
 */
export class Registration {
  readonly #definition: Definition;
  readonly #super: SuperArguments;
  #stackTraceLimit = Error.stackTraceLimit;

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

  /**
   * The arguments of `super`. Errors record no stack traces until `end` or `failed` runs. The caller must call one of
   * these two methods in the same turn of the event loop. The SDK makes a stack trace for each property, to find
   * promises that never settle. With source maps, these traces take longer than the rest of the program.
   * `PULUMI_DEBUG_PROMISE_LEAKS` turns the traces on.
   */
  begin(): SuperArguments {
    this.#stackTraceLimit = Error.stackTraceLimit;
    if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
    return this.#super;
  }

  /** The error that `super` throws, with a stack trace that shows where the resource is declared. */
  failed(error: unknown): unknown {
    Error.stackTraceLimit = this.#stackTraceLimit;
    if (error instanceof Error && !/\n\s+at /.test(error.stack ?? ""))
      Error.captureStackTrace(error, Registration.prototype.failed);
    return error;
  }

  /** Removes the secret marks inside the values of secret outputs. Each output as a whole stays secret. */
  #readable(resource: pulumi.Resource): Values {
    const names = (this.#super[3]?.additionalSecretOutputs ?? []).filter((name) =>
      Object.hasOwn(resource, name),
    );
    const outputs = resource as unknown as { readonly [name: string]: pulumi.Output<unknown> };
    return Object.fromEntries(names.map((name) => [name, outputs[name]?.apply(withoutMarks)]));
  }

  /**
   * Sets each omitted argument to undefined. Otherwise, the argument would be unknown in every plan. Skips arguments
   * that a transformation has set, because the engine returns their values.
   */
  end(resource: pulumi.Resource): void {
    Error.stackTraceLimit = this.#stackTraceLimit;
    const none = Object.keys(this.#definition.argumentRows).filter((name) => !Object.hasOwn(resource, name));
    Object.assign(resource, Object.fromEntries(none.map((name) => [name, NONE])), this.#readable(resource));
  }
}

const NONE = pulumi.output(undefined);

/** The engine marks a secret output, and also each secret within the output. The SDK removes only one of the marks. */
function withoutMarks(value: unknown): unknown {
  return pulumi.runtime.isRpcSecret(value) ? withoutMarks(pulumi.runtime.unwrapRpcSecret(value)) : value;
}

/** The argument rows whose values the service returns. A resource that is only read has these values as outputs. */
function answeredRows(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([, field]) => isAnswered(field)));
}

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
  // The engine does not pass time-outs on to dynamic resources, so an input carries them.
  const timeouts = timeoutsIn(`${type} "${name}"`, options);
  const inputs = withSecrets(argumentRows, withNullVariables(argumentRows, args));
  return {
    ...inputs,
    ...pack({ timeouts, ...destructionOptions(argumentRows, options), secretPaths: secretPaths(inputs) }),
  };
}

/** Sets a variable that has no value, such as an unset `process.env.KEY`, to null. The provider refuses null. */
function withNullVariables(rows: Rows, args: Values): Values {
  const entries = Object.entries(args).map(([name, value]) => {
    const isOfVariables = Object.hasOwn(rows, name) && rows[name]?.kind.type === "keyed";
    return [name, isOfVariables ? whenKnown(value, withNullEntries) : value];
  });
  return Object.fromEntries(entries);
}

function withNullEntries(map: unknown): unknown {
  if (!isPlain(map)) return map;
  const entries = Object.entries(map).map(([name, entry]) => [
    name,
    whenKnown(entry, (value) => value ?? null),
  ]);
  return Object.fromEntries(entries);
}

/** Changes the value. For an output or a promise, returns an output of the changed value. */
export const whenKnown = (value: unknown, change: (value: unknown) => unknown): unknown =>
  pulumi.Output.isInstance(value) || value instanceof Promise
    ? pulumi.output(value).apply(change)
    : change(value);

/** The arguments that the program gives. Each argument of a secret row becomes a secret output. */
function withSecrets(rows: Rows, args: Values): Values {
  const entries = Object.entries(args).filter(([, value]) => !isAbsent(value));
  const marked = secretPathsIn(rows).reduce<unknown>(withSecretAt, Object.fromEntries(entries));
  return Object.fromEntries(Object.entries(marked as Values).map(([name, value]) => [name, withText(value)]));
}

/** Makes the value at the path a secret. If an output contains the value, the output is secret. */
function withSecretAt(value: unknown, [name, ...innerNames]: readonly string[]): unknown {
  if (name === undefined) return asSecret(value);
  return whenKnown(value, (known) => {
    const member = valueAt(known, [name]);
    return isAbsent(member) ? known : { ...(known as Values), [name]: withSecretAt(member, innerNames) };
  });
}

/** Makes each entry of a map a secret separately, so that names stay readable and a plan shows each change. */
function asSecret(value: unknown): unknown {
  // A value that is not a map (an output, or a mistake that the provider will report) is secret as a whole.
  if (!isPlain(value)) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, pulumi.secret(entry)]));
}

/** The paths of arguments that are secret outputs. A plan never shows the values at these paths. */
function secretPaths(args: Values): Promise<string[] | undefined> | undefined {
  // The paths in `secrets` are left out, because the provider never shows the values of secrets.
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
  // An element of a list gets the list's path, because a plan line shows a changed list as a whole.
  if (Array.isArray(value)) return value.flatMap((element) => outputsIn(element, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => outputsIn(member, [...path, name]));
}

function readInputs({ connection }: Read): Values {
  return { ...pack({ readOnly: true }), ...(connection === undefined ? {} : { connection }) };
}

/**
 * Adds an alias with the plugin's type. Without the alias, the engine would create a second resource, and delete the
 * plugin's resource without asking. The SDK handles a string alias in a fifth of the time that an object takes.
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
 * The URN. Without a parent, the URN is a plain string, because every output slows the program down. With a parent,
 * only the URN's value is used. An output would depend on all of the parent's children, and a child could wait for
 * itself.
 */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
  const urn = pulumi.createUrn(name, type, parent);
  return pulumi.runtime.serializeProperties(type, { urn }).then((values) => values.urn as string);
}

/** Declares a resource that is only read. The constructor also accepts `Read`, which its public type hides. */
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
