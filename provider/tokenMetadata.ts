/** TokenMetadata: the label and the default flag of a stored token, which only the token's owner may set. */

import type { Call } from "./call";
import { isForbidden, isNotFound } from "./client/errors";
import type { Table } from "./crud/definition";
import { tableResource } from "./crud/table";
import type { Inputs } from "./schema/recorded";
import { printable } from "./schema/secrecy";
import {
  tokenMetadataArgumentRows,
  tokenMetadataComputedRows,
  tokenMetadataOutputRows,
  tokenMetadataRows,
} from "./schema/tokenMetadata";
import { isAbsent } from "./schema/value";
import { sentence } from "./schema/words";

function explained(call: Call, inputs: Inputs, error: unknown): unknown {
  const token = printable(inputs.tokenId);
  if (isForbidden(error)) {
    return call.refuse(
      `only the owner of the token ${token} may set its metadata, and the API key is not the owner's. Use the owner's key, or a connection that has it. ${sentence(error.message)}`,
      error,
    );
  }
  if (!isNotFound(error)) return error;
  const words = `${call.baseUrl} has no token with the id ${token}: is tokenId right? ${sentence(error.message)}`;
  return call.refuse(words, error);
}

const table: Table = {
  kind: "token metadata",
  type: "TokenMetadata",
  rows: tokenMetadataArgumentRows,
  outputRows: tokenMetadataOutputRows,
  computedRows: tokenMetadataComputedRows,
  // Only a PATCH shows whether the token exists. The state has ids in plaintext, so a secret tokenId cannot be the id.
  existing: async (call, { tokenId }) => ({ id: call.hidden("tokenId") ? call.name : tokenId }),
  patchesAll: true,
  patch: (call, _id, body, inputs) =>
    call.service.endpoints.updateTokenMetadata(inputs.tokenId as string, body).catch((error: unknown) => {
      throw explained(call, inputs, error);
    }),
  staying: (_id, { tokenId }) => `the metadata of the token ${printable(tokenId)} stays as it is`,
  left: (id, { serviceUrl }) =>
    `leaves the label and the default flag as they are on ${serviceUrl} (token ${printable(id)})`,
  remark: (args, isNew) => {
    const names = Object.keys(tokenMetadataRows);
    if (!isNew || names.some((name) => !isAbsent(args[name]))) return undefined;
    return `neither ${names.join(" nor ")} is set, so the provider sends nothing and learns nothing about the token`;
  },
};

export const tokenMetadata = tableResource(table);
