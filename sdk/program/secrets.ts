/** Which arguments are secret: the rows say it of some, the program of any. */
import * as pulumi from "@pulumi/pulumi";
import type { Rows } from "../../provider/fields/kind";

type Values = { readonly [name: string]: unknown };

/** The arguments whose rows say that they are secret. */
export function secretNames(rows: Rows): string[] {
  return Object.keys(rows).filter((name) => rows[name]?.secret === true);
}

/** The arguments, those of secret rows as secret outputs. */
export function withSecrets(rows: Rows, args: Values): Values {
  const given = secretNames(rows).filter((name) => args?.[name] !== undefined);
  return { ...args, ...Object.fromEntries(given.map((name) => [name, asSecret(args[name])])) };
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
export function secretPaths(args: Values): Promise<string[] | undefined> | undefined {
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
