import * as pulumi from "@pulumi/pulumi";
import {
  tokenMetadataArgumentRows,
  tokenMetadataComputedRows,
  tokenMetadataOutputRows,
} from "../../provider/schema/tokenMetadata";
import { definition, type Options, Registration } from "./registration";
import type { TokenMetadataArgs, TokenMetadataOutputs } from "./types";

const TOKEN_METADATA = definition(
  "TokenMetadata",
  tokenMetadataArgumentRows,
  tokenMetadataOutputRows,
  tokenMetadataComputedRows,
);

export interface TokenMetadata extends TokenMetadataOutputs {}

/**
 * The label and the default flag of a token that the service stores. Only the token's owner may set the label and the
 * flag. With a different API key, `pulumi up` fails and gives this reason. The contract has no call that reads or
 * deletes a label or flag. A refresh therefore keeps the values of the last apply, and a removed argument keeps its
 * value on the service. `destroy` only warns and changes nothing on the service. The token must exist. A change to
 * `tokenId` is a replacement. If neither a label nor a flag is given, nothing is sent, and the outputs are null.
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
