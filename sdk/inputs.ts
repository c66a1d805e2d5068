/** The types of arguments: as the tables have them, each part of which may be an output of another resource. */
import type * as pulumi from "@pulumi/pulumi";
import type { Json, JsonObject } from "../provider/fields/kind";

/** A value of which any part may be an output. */
export type Inputs<T> = T extends string | number | boolean
  ? pulumi.Input<T>
  : Json extends T
    ? // biome-ignore lint/suspicious/noExplicitAny: any JSON value, any part of it an output.
      any
    : JsonObject extends T
      ? // biome-ignore lint/suspicious/noExplicitAny: any JSON object, any part of it an output.
        pulumi.Input<{ [key: string]: any }>
      : T extends readonly (infer E)[]
        ? pulumi.Input<Inputs<E>[]>
        : pulumi.Input<{ [K in keyof T]: Inputs<T[K]> }>;

/** The arguments of a resource. */
export type ArgumentsOf<T> = { [K in keyof T]: Inputs<NonNullable<T[K]>> | UndefinedOf<T[K]> };
type UndefinedOf<T> = undefined extends T ? undefined : never;
