/**
 * The one place that knows Pulumi's dynamic host: its calls come in here and errors go out.
 *
 * The host loads `__provider` of each resource once per process, configures it and calls its methods.
 */
import type * as pulumi from "@pulumi/pulumi";
import { isForbidden, isNotFound, isUnauthorized } from "../client/errors";
import { UnfinishedError } from "../failure";
import { environmentName, NAME, settingName } from "../fields/naming";
import { isAbsent, isProperties, type Properties } from "../fields/value";
import type { Resource } from "../resource";
import { ConfigurationError, type ConfigurationSource } from "../service/configuration";
import { keepSecret, markedIn, redacted } from "../service/secrecy";
import { Session } from "../service/session";
import { sentence } from "../verdict/describe";
import { urnOf } from "./carried";
import { engineReporter, isEngineAddress } from "./engine";
import { EngineWatch } from "./engineWatch";
import { expectShortLives } from "./memory";
import { asRecorded, fromRecorded } from "./schema";

type Host = pulumi.dynamic.ResourceProvider;

let configuration: ConfigurationSource = () => undefined;
let session: Session | undefined;
/** Calls that have not been answered. */
let underWay = 0;

function currentSession(): Session {
  session ??= sessionUnder(process.argv[2]);
  return session;
}

/** The session of the engine at that address: it ends with it. */
function sessionUnder(address: string | undefined): Session {
  const source: ConfigurationSource = (key) => configuration(key);
  if (!isEngineAddress(address)) return new Session(source, engineReporter(address));
  expectShortLives();
  const watch = new EngineWatch(address, () => void leaveOrphaned(created));
  const created = new Session(source, engineReporter(address), undefined, (method) => watch.gate(method));
  // The engine stops its plugins with this signal: at its end, or in the middle of things when it is stopped twice.
  process.once("SIGINT", () => {
    if (underWay === 0) for (const journal of [created.journal, created.updates]) journal.closeHandedOver();
    process.exit(0);
  });
  return created;
}

/** How long an answer is waited for that the journal still lacks. */
const LAST_ANSWERS_MS = 5_000;

/** The engine is gone: nothing more is sent, and only what the service answers to what it was sent is still written down. */
async function leaveOrphaned({ journal, updates }: Session): Promise<void> {
  const over = Date.now() + LAST_ANSWERS_MS;
  while ((journal.awaitsAnswers || updates.awaitsAnswers) && Date.now() < over)
    await new Promise((resolve) => setTimeout(resolve, 50));
  process.exit(1);
}

/** The resource as the dynamic host wants it: loaded with the first call, as few programs have one of each kind. */
export function dynamicProvider(load: () => Resource): Host {
  let loaded: Resource | undefined;
  const resource = (): Resource => {
    loaded ??= load();
    return loaded;
  };
  // `check` precedes `diff` where a plan is made, and only there: a refresh asks for a diff alone.
  const checked = new Set<string>();
  const recorded = (state: Properties): Properties => fromRecorded(state, resource().reported);
  return {
    configure: async (request) => {
      configuration = (key) => request.config.get(settingName(key));
      // From now on the process ends with its engine, also one that never sends anything.
      currentSession();
    },
    check: async (olds, news) => {
      const known = isRecorded(olds) ? olds : undefined;
      keepSecret(markedIn(news));
      checked.add(urnOf(news));
      try {
        const { inputs, failures } = await resource().check(currentSession(), known, news);
        return { inputs: marked(resource(), plainJson(inputs)), failures: failures.map(asFailure) };
      } catch (error) {
        return { inputs: news, failures: [asFailure(wordsOf(error))] };
      }
    },
    diff: guarded(async (id: pulumi.ID, olds: Properties, news: Properties) => {
      keepSecret([markedIn(olds), markedIn(news)]);
      const planned = checked.delete(urnOf(news));
      const { changes, replaces, deleteBeforeReplace } = await resource().diff(
        currentSession(),
        id,
        recorded(olds),
        news,
        planned,
      );
      return { changes, replaces: [...(replaces ?? [])], deleteBeforeReplace: deleteBeforeReplace ?? false };
    }),
    create: guarded(async (inputs: Properties) => {
      keepSecret(markedIn(inputs));
      const { id, outputs } = await resource().create(currentSession(), inputs);
      return { id, outs: plainJson(asRecorded(outputs)) };
    }),
    read: guarded(async (id: pulumi.ID, state: Properties) => {
      keepSecret(markedIn(state));
      const found = await resource().read(currentSession(), id, recorded(state));
      // An id that is left out means gone.
      if (found.id === undefined) return {};
      const inputs =
        found.inputs === undefined ? {} : { inputs: marked(resource(), plainJson(found.inputs)) };
      return { id: found.id, props: plainJson(asRecorded(found.outputs ?? {})), ...inputs };
    }) as NonNullable<Host["read"]>,
    update: guarded(async (id: pulumi.ID, olds: Properties, news: Properties) => {
      keepSecret([markedIn(olds), markedIn(news)]);
      const outputs = await resource().update(currentSession(), id, recorded(olds), news);
      return { outs: plainJson(asRecorded(outputs)) };
    }),
    delete: guarded(async (id: pulumi.ID, state: Properties) => {
      keepSecret(markedIn(state));
      await resource().delete(currentSession(), id, recorded(state));
    }),
  };
}

function isRecorded(olds: Properties | undefined): olds is Properties {
  return olds !== undefined && Object.keys(olds).some((name) => name !== "__provider");
}

/** The empty property makes the engine print the reason alone: naming one prints its whole value, secrets in clear. */
function asFailure(reason: string): pulumi.dynamic.CheckFailure {
  return { property: "", reason: redacted(reason) };
}

function guarded<A extends unknown[], R>(method: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    underWay += 1;
    try {
      return await method(...args);
    } catch (error) {
      throw presentable(error);
    } finally {
      underWay -= 1;
    }
  };
}

/** An error whose text is fit to be shown: no secret, no stack. The host prints both message and stack. */
function presentable(error: unknown): Error {
  const shown = new Error(redacted(wordsOf(error)));
  shown.name = "";
  shown.stack = shown.message;
  shown.toString = unprinted;
  if (error instanceof UnfinishedError) {
    Object.assign(shown, {
      id: error.id,
      properties: plainJson(asRecorded(error.properties as Properties)),
      reasons: error.reasons.map(redacted),
    });
  }
  return shown;
}

/**
 * The host answers with the error and, from diff, read and delete, prints it as well: the engine would show it twice.
 * It turns the error into text right before it prints that, and until it has, nothing is printed.
 */
function unprinted(): string {
  const { stderr } = process;
  const write = stderr.write;
  // Another error may be under way in this turn already; what it has put in place is not to be kept.
  if (write !== silent) {
    stderr.write = silent;
    queueMicrotask(() => {
      stderr.write = write;
    });
  }
  return NAME;
}

const silent = (): boolean => true;

/** What went wrong, with what to do about it; secrets are not masked yet. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationError) return `configuration ${NAME}: ${error.message}`;
  const key = `Check ${settingName("apiKey")} (or ${environmentName("apiKey")}), authHeader and authScheme`;
  if (isUnauthorized(error)) return `${sentence(error.message)} ${key}`;
  if (isForbidden(error)) return `${sentence(error.message)} The key has no right to this. ${key}`;
  if (isNotFound(error)) return `${sentence(error.message)} ${notFoundHint(error.method)}`;
  return error.message;
}

function notFoundHint(method: string): string {
  return method === "PATCH" || method === "DELETE"
    ? "If it was deleted on the service, run `pulumi refresh`"
    : `Is ${settingName("baseUrl")} (or ${environmentName("baseUrl")}) that of the service's API?`;
}

/** The engine's own mark of a secret on its wire. */
const SECRET_MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * The engine takes for secret what the program handed over as secret; a transform of the program may have lost that, or
 * have added a value in clear.
 */
function marked({ secretInputs = [] }: Resource, inputs: Properties): Properties {
  const secret = (value: unknown): unknown =>
    isProperties(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, secret(member)]))
      : { ...SECRET_MARK, value };
  const given = secretInputs.filter((name) => !isAbsent(inputs[name]));
  return { ...inputs, ...Object.fromEntries(given.map((name) => [name, secret(inputs[name])])) };
}

/** The host fails on `undefined` after the request was made, which would lose the resource. */
function plainJson(properties: Properties): Properties {
  return isPlainJson(properties) ? properties : (JSON.parse(JSON.stringify(properties)) as Properties);
}

function isPlainJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value !== undefined;
  return Object.values(value).every(isPlainJson);
}
