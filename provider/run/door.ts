/**
 * The only check of requests that cannot be undone: creations, changes, deletions and calls that make a revision. By
 * default, the door refuses these requests. A kind of operation (a road) must first permit the request. A road that is
 * not in the table cannot permit any request.
 */
import type { HttpRequest } from "../client/http";
import { RefusedError } from "../failure";
import { printable } from "../schema/secrecy";

/** `change`: a PATCH. The plan decides whether the PATCH may make a revision. */
export type Act = "create" | "change" | "revise" | "delete";

/** Each kind of operation (road), and the effects that its requests may have on the resource. */
export const ROADS = {
  /** A POST, and a PATCH for arguments that a POST does not take. */
  creation: ["create", "change"],
  /** Takes over an existing resource. The preview may not know the resource's id or name yet. */
  adoption: ["change", "revise"],
  /** Only reads. A refresh and a `get` are imports too. */
  import: [],
  update: ["change", "revise"],
  /** Waits for the revision of an earlier update. */
  resumption: [],
  remake: ["change", "revise"],
  /** Restores the arguments that applied before a failed update. */
  restore: ["change", "revise"],
  /** Creates the new resource and deletes the old resource. The arguments or the engine may ask for the replacement. */
  replacement: ["create", "change", "delete"],
  deletion: ["delete"],
} as const satisfies Record<string, readonly Act[]>;

export type Road = keyof typeof ROADS;

type Request = Pick<HttpRequest, "method" | "path" | "body">;

export class Door {
  readonly #permits = new Set<string>();

  /** Permits the road's acts, apart from the acts in `except`. `id`: the resource's id, or a new deployment's name. */
  permit(road: Road, id: string, except: readonly Act[] = []): void {
    for (const act of ROADS[road]) if (!except.includes(act)) this.#permits.add(`${act} ${id}`);
  }

  /** Throws a RefusedError if the request needs a permit, and no road has permitted the request. */
  check({ method, path, body }: Request): void {
    const act = actOf(method, path);
    if (act === undefined) return;
    const id = act === "create" ? nameOf(body) : decodeURIComponent(path.split("/")[3] ?? "");
    if (this.#permits.has(`${act} ${id}`)) return;
    throw new RefusedError(
      `${method} ${path} was not sent: no plan of this run allows to ${act} ${printable(id)}. Please report this as a bug`,
    );
  }
}

function actOf(method: string, path: string): Act | undefined {
  if (method === "DELETE") return "delete";
  if (path === "/v2/deployments") return method === "POST" ? "create" : undefined;
  if (!path.startsWith("/v2/deployments/")) return undefined;
  if (method === "POST") return "revise";
  return method === "PATCH" ? "change" : undefined;
}

const nameOf = (body: unknown): string => String((body as { readonly name?: unknown } | undefined)?.name);
