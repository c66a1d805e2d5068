import type * as pulumi from "@pulumi/pulumi";

/** Plain arguments as the arguments of a function whose every argument, and every element of a list, may be an output. */
export type InputsOf<A> = { [name in keyof A]: pulumi.Input<Elements<A[name]>> };
type Elements<V> = V extends readonly (infer E)[] ? pulumi.Input<E>[] : V;
