/** What the service answers when it does not, or not wholly, do what was asked. */

/** One entry of the `detail` of a 422: where, what and of which sort. */
export interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Thrown anywhere below a route; the server turns it into an answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | readonly Detail[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(
      typeof detail === "string"
        ? detail
        : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
    );
  }
}

/** What a route gives back whose status depends on how it went. */
export class Answered {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

export function invalid(loc: Detail["loc"], msg: string, type: string): Refusal {
  return new Refusal(422, [{ loc, msg, type }]);
}

export function notFound(what: string, id: string): Refusal {
  return new Refusal(404, `${what} ${id} not found.`);
}
