/**
 * Checks requests and answers against the recorded OpenAPI document of the public service, and allows no undeclared
 * field.
 */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { mergedOver } from "../../provider/schema/value";
import type { Schema } from "./breaches";
import newer from "./newer.json";
import newerFields from "./newerFields.json";
import recording from "./recording.json";

/** A request and its answer on the wire. */
export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly headers: { readonly [name: string]: unknown };
  /** The request's body; undefined if the request has no body. */
  readonly requestBody: unknown;
  readonly status: number;
  readonly answerBody: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: object;
}
interface Content {
  readonly "application/json"?: { readonly schema?: object };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
}
interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: object } };
}

const ID = "public";

export class PublicDocument {
  readonly #document: Document;
  readonly #bodies = new Ajv2020({ strict: false, allErrors: true });
  // The parameters in an address are strings, so this instance converts them to the types of the schema.
  readonly #texts = new Ajv2020({ strict: false, allErrors: true, coerceTypes: "array" });

  constructor() {
    // The service now has fields that it did not have when its document was recorded.
    const paths = mergedOver(mergedOver(recording.paths, newer.paths), {
      "/v2/deployments": {
        get: {
          parameters: [
            ...recording.paths["/v2/deployments"].get.parameters,
            ...newer.filters["/v2/deployments"],
          ],
        },
      },
    });
    const schemas = mergedOver({ ...recording.schemas, ...newer.schemas }, newerFields);
    this.#document = strict({ paths, components: { schemas } }) as Document;
    for (const ajv of [this.#bodies, this.#texts]) {
      addFormats(ajv);
      ajv.addSchema({ $id: ID, ...this.#document });
    }
  }

  /**
   * `faults`: each difference from the document, with the operation in which it occurs. `matched`: the operation, as
   * `METHOD /path/{parameter}`.
   */
  judge(exchange: Exchange): { matched: string | undefined; faults: string[] } {
    const { pathname, searchParams } = new URL(exchange.url, "http://service");
    const located = this.#find(exchange.method, pathname);
    if (!located)
      return { matched: undefined, faults: [`${exchange.method} ${pathname}: there is no such operation`] };
    const { template, operation, place } = located;
    const matched = `${exchange.method} ${template}`;
    const faults = [
      ...this.#addressFaults(operation, pathname, template, searchParams),
      ...(exchange.headers["x-api-key"] === undefined ? ["header X-Api-Key is missing"] : []),
      ...this.#requestFaults(operation, place, exchange),
      ...this.#answerFaults(operation, place, exchange),
    ];
    return { matched, faults: faults.map((words) => `${matched}: ${words}`) };
  }

  /** All operations of the document, with the names of their query parameters. */
  get operations(): { readonly endpoint: string; readonly query: readonly string[] }[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => ({
        endpoint: `${method.toUpperCase()} ${path}`,
        query: parameters.filter((each) => each.in === "query").map(({ name }) => name),
      })),
    );
  }

  /** The schema of a request's body, with its references resolved. */
  bodyOf(method: string, template: string): Schema {
    const { requestBody } = this.#document.paths[template]?.[method.toLowerCase()] ?? {};
    return this.#inlined(requestBody?.content["application/json"]?.schema ?? {}) as Schema;
  }

  #inlined(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((each) => this.#inlined(each));
    if (typeof node !== "object" || node === null) return node;
    if ("$ref" in node)
      return this.#inlined(this.#document.components.schemas[String(node.$ref).split("/").at(-1) as string]);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, this.#inlined(value)]));
  }

  #find(method: string, pathname: string) {
    const candidates = Object.keys(this.#document.paths)
      .filter((template) => patternOf(template).test(pathname))
      .sort((one, other) => one.split("{").length - other.split("{").length);
    for (const template of candidates) {
      const operation = this.#document.paths[template]?.[method.toLowerCase()];
      const place = `${ID}#/paths/${escaped(template)}/${method.toLowerCase()}`;
      if (operation) return { template, operation, place };
    }
    return undefined;
  }

  #addressFaults(operation: Operation, pathname: string, template: string, query: URLSearchParams): string[] {
    const inPath = Object.entries(patternOf(template).exec(pathname)?.groups ?? {});
    const inQuery = [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0]] as const;
    });
    return [
      ...this.#parameterFaults(operation, "path", Object.fromEntries(inPath)),
      ...this.#parameterFaults(operation, "query", Object.fromEntries(inQuery)),
    ];
  }

  #parameterFaults(
    { parameters = [] }: Operation,
    where: "path" | "query",
    parametersSent: object,
  ): string[] {
    const declared = parameters.filter((parameter) => parameter.in === where);
    const schema = {
      type: "object",
      properties: Object.fromEntries(declared.map((parameter) => [parameter.name, parameter.schema])),
      required: declared.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
    return faultsOf(this.#texts.compile(schema), structuredClone(parametersSent), where);
  }

  #requestFaults({ requestBody }: Operation, place: string, { requestBody: body }: Exchange): string[] {
    if (!requestBody) return body === undefined ? [] : ["takes no body, but one was sent"];
    if (body === undefined) return requestBody.required ? ["a body is missing"] : [];
    const ref = `${place}/requestBody/content/application~1json/schema`;
    return faultsOf(this.#compiled(ref), body, "request");
  }

  #answerFaults(operation: Operation, place: string, { status, answerBody }: Exchange): string[] {
    const answer = operation.responses[status];
    if (!answer) return [`status ${status} is not declared`];
    if (!answer.content)
      return answerBody === undefined ? [] : [`status ${status} has no body, but one came`];
    if (!answer.content["application/json"]?.schema) return [];
    const ref = `${place}/responses/${status}/content/application~1json/schema`;
    return faultsOf(this.#compiled(ref), answerBody, `answer ${status}`);
  }

  #compiled(ref: string): ValidateFunction {
    const compiled = this.#bodies.getSchema(ref);
    if (!compiled) throw new Error(`the document has nothing at ${ref}`);
    return compiled;
  }
}

const escaped = (template: string): string => template.replace(/~/g, "~0").replace(/\//g, "~1");

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function faultsOf(validate: ValidateFunction, value: unknown, where: string): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const stranger = "additionalProperty" in params ? ` (${params.additionalProperty})` : "";
    return `${where}${instancePath}: ${message}${stranger}`;
  });
}

/**
 * Returns a copy of the node in which each schema of an object refuses undeclared fields. A map still takes any key.
 */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]));
  const closes = copy.type === "object" && "properties" in copy && !("additionalProperties" in copy);
  return closes ? { ...copy, additionalProperties: false } : copy;
}
