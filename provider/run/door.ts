/**
 * The one door for what cannot be taken back: a change of a deployment, a call that makes a revision, and every
 * deletion. Such a request passes only with a permit, which says what the plan of the resource allows. A road to the
 * service that nobody thought of has no permit, so that its request is refused before it is sent.
 */
import type { HttpRequest } from "../client/http";
import { RefusedError } from "../failure";

/** The effect of a request. `change`: a PATCH, whose plan decides whether it may make a revision. */
export type Act = "change" | "revise" | "delete";

type Request = Pick<HttpRequest, "method" | "path">;

export class Door {
  readonly #permits = new Set<string>();

  /** Lets requests pass that do this to the resource with this id. A permit to make revisions includes changes. */
  permit(act: Act, id: string): void {
    this.#permits.add(`${act} ${id}`);
    if (act === "revise") this.#permits.add(`change ${id}`);
  }

  /** Throws a RefusedError if the request needs a permit that nobody has given. */
  check(request: Request): void {
    const act = actOf(request);
    if (act === undefined) return;
    const id = decodeURIComponent(request.path.split("/")[3] ?? "");
    if (this.#permits.has(`${act} ${id}`)) return;
    throw new RefusedError(
      `${request.method} ${request.path} was not sent: no plan of this run allows to ${act} ${id}. Please report this as a bug`,
    );
  }
}

function actOf({ method, path }: Request): Act | undefined {
  if (method === "DELETE") return "delete";
  if (!path.startsWith("/v2/deployments/")) return undefined;
  if (method === "POST") return "revise";
  return method === "PATCH" ? "change" : undefined;
}
