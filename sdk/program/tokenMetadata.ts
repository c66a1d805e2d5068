import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../../provider/fields/kind";
import {
  tokenMetadataArgumentRows,
  tokenMetadataComputedRows,
  tokenMetadataOutputRows,
} from "../../provider/fields/tokenMetadata";
import type { ArgumentsOf, OutputsOf } from "./properties";
import { definition, type Options, Registration } from "./registration";

/** Arguments of a token's metadata. What is left out is not managed. */
export interface TokenMetadataArgs extends ArgumentsOf<ValuesOf<typeof tokenMetadataArgumentRows>> {}

const TOKEN_METADATA = definition(
  "TokenMetadata",
  tokenMetadataArgumentRows,
  tokenMetadataOutputRows,
  tokenMetadataComputedRows,
);

export interface TokenMetadata
  extends OutputsOf<typeof tokenMetadataArgumentRows>,
    OutputsOf<Omit<typeof tokenMetadataOutputRows, "id">>,
    OutputsOf<typeof tokenMetadataComputedRows> {}

/**
 * The label and the default flag of a token that the service stores. Only the token's owner may set them: with another
 * key, `up` fails and says so. The contract has no call that reads or deletes them, so a refresh keeps what the last
 * apply saw, a field that is taken out stays as it is, and destroying leaves everything, with a warning. The token has
 * to exist; another `tokenId` is a replacement. Until a label or the flag is given nothing is sent, and what the service
 * reports is null.
 */
export class TokenMetadata extends pulumi.CustomResource {
  /** Declares a token's metadata. Bad arguments are refused at preview. */
  constructor(name: string, args: TokenMetadataArgs, options?: Options) {
    const registration = new Registration(TOKEN_METADATA, name, args, options);
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
  }
}
