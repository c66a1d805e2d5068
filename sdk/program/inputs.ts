/** The types of arguments: as the tables have them, each part of which may be an output of another resource. */
import type * as pulumi from "@pulumi/pulumi";
import type { Json } from "../../provider/fields/kind";

/** The arguments of a resource, or of an object within them. */
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
