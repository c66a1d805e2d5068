/** TokenMetadata: the label and the default flag of a stored token, which its owner alone may set. */

import { isForbidden, isNotFound } from "./client/errors";
import { RefusedError } from "./failure";
import { faultInWords, faultsIn } from "./fields/check";
import {
  tokenMetadataArgumentRows as argumentRows,
  tokenMetadataOutputRows,
  tokenMetadataRows,
} from "./fields/tokenMetadata";
import { isAbsent, normalizedRows, type Properties, rowsIn } from "./fields/value";
import { everyRowFromWire, rowsToWire } from "./fields/wire";
import { carriedIn, givenIn, hiddenIn, programName, urnOf } from "./host/carried";
import type { Resource } from "./resource";
import type { Service } from "./service/session";
import { type Change, changesBetween, type Verdict, verdictOf } from "./verdict/changes";
import { describeVerdict, plain, sentence } from "./verdict/describe";

// The engine keeps the id itself.
const { id: _kept, ...outputRows } = tokenMetadataOutputRows;

const labelOf = (properties: Properties): string => `token metadata "${plain(programName(properties))}"`;

const argumentsOf = (properties: Properties): Properties =>
  normalizedRows(argumentRows, rowsIn(argumentRows, properties));

/** A field that is taken out stays as it is: the contract knows no way to clear one. */
function changesOf(before: Properties, after: Properties, service: Service): Change[] {
  const changes = changesBetween(
    argumentRows,
    argumentsOf(before),
    argumentsOf(after),
    service.connection.profile,
  );
  return changes.map((change) =>
    Object.hasOwn(tokenMetadataRows, change.path) && isAbsent(change.after)
      ? { ...change, effect: "kept" }
      : change,
  );
}

function outputsOf(inputs: Properties, resource: Properties, service: Service): Properties {
  const { profile, baseUrl } = service.connection;
  return { ...inputs, ...everyRowFromWire(outputRows, resource, profile), serviceUrl: baseUrl };
}

const managesNothing = (args: Properties): boolean =>
  Object.keys(tokenMetadataRows).every((name) => isAbsent(args[name]));

/** Sends every field that the program manages. */
async function patch(service: Service, inputs: Properties): Promise<Properties> {
  if (managesNothing(inputs)) return outputsOf(inputs, {}, service);
  const tokenId = inputs.tokenId as string;
  const body = rowsToWire(tokenMetadataRows, argumentsOf(inputs), service.connection.profile);
  try {
    const { resource } = await service.endpoints.updateTokenMetadata(tokenId, body);
    return outputsOf(inputs, resource, service);
  } catch (error) {
    throw explained(error, inputs, service);
  }
}

function explained(error: unknown, inputs: Properties, service: Service): unknown {
  const { baseUrl } = service.connection;
  const [label, token] = [labelOf(inputs), plain(String(inputs.tokenId))];
  if (isForbidden(error)) {
    return new RefusedError(
      `${label}: only the owner of the token ${token} may set its metadata, and the API key is not the owner's. ` +
        `Use the owner's key, or a connection that has it. ${sentence(error.message)}`,
      { cause: error },
    );
  }
  if (!isNotFound(error)) return error;
  const words = `${label}: ${baseUrl} has no token with the id ${token}: is tokenId right? ${sentence(error.message)}`;
  return new RefusedError(words, { cause: error });
}

function planLine(verdict: Verdict, changes: readonly Change[], olds: Properties, news: Properties): string {
  const words = describeVerdict(verdict, changes, hiddenIn(olds, news)).replace(", no new revision", "");
  const fate =
    verdict === "replace" ? `; the metadata of the token ${plain(String(olds.tokenId))} stays as it is` : "";
  return `${labelOf(news)}: ${words}${fate}`;
}

export const tokenMetadata: Resource = {
  reported: Object.keys(outputRows),

  async check(session, olds, news) {
    const args = givenIn(news);
    session.serviceFor(olds, news);
    const faults = faultsIn(argumentRows, args, hiddenIn(news));
    if (olds === undefined && faults.length === 0 && managesNothing(args)) {
      const names = Object.keys(tokenMetadataRows).join(" nor ");
      const words = `neither ${names} is given, so nothing is sent and nothing is known of the token`;
      await session.reporter.info(urnOf(news), `${labelOf(news)}: ${words}`);
    }
    return { inputs: { ...carriedIn(news), ...argumentsOf(args) }, failures: faults.map(faultInWords) };
  },

  async diff(session, _id, olds, news, planned) {
    const service = session.serviceOfDiff(olds, news, planned);
    const changes = changesOf(olds, news, service);
    const verdict = verdictOf(changes);
    if (planned && changes.length > 0) {
      await session.reporter.info(urnOf(news), planLine(verdict, changes, olds, news));
    }
    const replaces = changes.filter(({ effect }) => effect === "replace").map(({ path }) => path);
    return { changes: changes.length > 0, replaces };
  },

  async create(session, inputs) {
    return {
      id: inputs.tokenId as string,
      outputs: await patch(session.service(inputs.connection), inputs),
    };
  },

  /** The contract has no call that reads it: what the last apply left in the state stays. */
  async read(_session, id, state) {
    return { id, outputs: state };
  },

  async update(session, _id, olds, news) {
    const service = session.serviceOf(olds);
    if (changesOf(olds, news, service).some(({ effect }) => effect === "inPlace"))
      return patch(service, news);
    const kept = Object.fromEntries(Object.keys(outputRows).map((name) => [name, olds[name]]));
    return { ...kept, ...news, serviceUrl: service.connection.baseUrl };
  },

  async delete(session, id, state) {
    await session.reporter.warn(
      urnOf(state),
      `${labelOf(state)}: leaves the label and the default flag as they are on ${state.serviceUrl} (token ${plain(id)})`,
    );
  },
};
