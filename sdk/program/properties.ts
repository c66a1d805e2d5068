/** Derives the types of a resource's arguments and outputs from its tables. */
import type * as pulumi from "@pulumi/pulumi";
import type { Field, Json, Rows } from "../../provider/fields/kind";

/** The arguments of a resource, or of an object within them: each part may be an output of another resource. */
export type ArgumentsOf<T> = { [K in keyof T]: pulumi.Input<Parts<NonNullable<T[K]>> | UndefinedOf<T[K]>> };

/** A value of which any part may be an output. The brackets keep an output of a union one input instead of several. */
type Parts<T> = [T] extends [string | number | boolean]
  ? T
  : Json extends T
    ? // biome-ignore lint/suspicious/noExplicitAny: any JSON value, any part of it an output.
      any
    : T extends readonly (infer E)[]
      ? pulumi.Input<Parts<E>>[]
      : ArgumentsOf<T>;

type UndefinedOf<T> = undefined extends T ? undefined : never;

/**
 * The outputs of a resource, one per row; editors show the prose above the row. A class declares them in an interface of its
 * name, because class fields would overwrite the values that the engine has set.
 */
export type OutputsOf<R extends Rows> = { readonly [K in keyof R]: pulumi.Output<OutputOf<R[K]>> };

type OutputOf<F> =
  | (F extends Field<infer T> ? T : never)
  | (F extends { readonly required: true } ? never : undefined)
  | (F extends { readonly nullable: true } ? null : never);
