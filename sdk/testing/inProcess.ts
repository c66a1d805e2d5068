/** Calls the embedded service's routes in this process, without HTTP and without waiting. */
import { type HttpAnswer, readAnswer } from "../../provider/client/answer";
import type { RequestPlace } from "../../provider/client/errors";
import { type HttpRequest, queryOf, type Transport } from "../../provider/client/http";
import { answerToError, contentOf } from "../emulator/http/message";
import { deployments } from "../emulator/resources/deployments/storedDeployment";
import { Router } from "../emulator/router";
import type { EmulatedService } from "../emulator/service";

const atOnce = async (): Promise<void> => {};

export class InProcess implements Transport {
  readonly clockAhead = 0;
  readonly isFailing = false;
  readonly #service: EmulatedService;
  readonly #router: Router;
  readonly #baseUrl: string;

  /** Errors name `baseUrl`. */
  constructor(service: EmulatedService, baseUrl: string) {
    this.#service = service;
    this.#router = new Router(service);
    this.#baseUrl = baseUrl;
  }

  placeOf({ operation, method, path }: HttpRequest): RequestPlace {
    return { operation, method, url: this.#baseUrl + path };
  }

  readonly close = atOnce;

  /** Throws a ServiceError, and a RangeError for a deployment that the mocks do not have. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    await request.beforeSending?.();
    this.#refuseStranger(request.path);
    const { method, path, query } = request;
    const incoming = {
      method,
      path,
      query: new URLSearchParams(queryOf(query)),
      key: undefined,
      // A copy, because the service stores it.
      body: () => JSON.parse(JSON.stringify(request.body)),
    };
    const answer = await this.#router.answer(incoming, atOnce).catch(answerToError);
    const body = [Buffer.from(contentOf(answer))];
    return readAnswer(this.placeOf(request), { statusCode: answer.status, headers: {}, body }, () => 0);
  }

  #refuseStranger(path: string): void {
    const [, id] = /^\/v2\/deployments\/([^/]+)/.exec(path) ?? [];
    if (id === undefined || deployments.get(this.#service, id) !== undefined) return;
    throw new RangeError(`the mocks have no deployment with the id ${id}; give it to them as deployments`);
  }
}
