/** The types of a resource's arguments and outputs, as its tables have them. */
import type * as pulumi from "@pulumi/pulumi";
import type { Field, Json, Rows } from "../../provider/fields/kind";

/** The arguments of a resource, or of an object within them: each part may be an output of another resource. */
export type ArgumentsOf<T> = { [K in keyof T]: pulumi.Input<Parts<NonNullable<T[K]>> | UndefinedOf<T[K]>> };

/** A value of which any part may be an output. In brackets, so that an output of a union is one input, not several. */
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
 * The outputs of a resource, one for each row, with the prose above the row kept for the editor. A class takes them from
 * an interface of its name: as class fields they would reset what the engine's answer has set.
 */
export type OutputsOf<R extends Rows> = { readonly [K in keyof R]: pulumi.Output<OutputOf<R[K]>> };

type OutputOf<F> =
  | (F extends Field<infer T> ? T : never)
  | (F extends { readonly required: true } ? never : undefined)
  | (F extends { readonly nullable: true } ? null : never);
