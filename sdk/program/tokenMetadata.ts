import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../../provider/fields/kind";
import { typeToken } from "../../provider/fields/naming";
import { tokenMetadataArgumentRows, tokenMetadataOutputRows } from "../../provider/fields/repository";
import type { ArgumentsOf } from "./inputs";
import { declared, type Options, settleNotGiven } from "./registration";
import { withoutStacks } from "./stacks";

type Values = ValuesOf<typeof tokenMetadataArgumentRows>;
type Reported = ValuesOf<typeof tokenMetadataOutputRows>;

/** Arguments of a token's metadata. What is left out is not managed. */
export type TokenMetadataArgs = ArgumentsOf<Values>;

// The engine keeps the id itself.
const { id: _kept, ...outputRows } = tokenMetadataOutputRows;
const OUTPUTS = [...Object.keys(tokenMetadataArgumentRows), ...Object.keys(outputRows), "serviceUrl"];

/**
 * The label and the default flag of a token that the service stores. Only the token's owner may set them: with another
 * key, `up` fails and says so. The contract has no call that reads or deletes them, so a refresh keeps what the last
 * apply saw, a field that is taken out stays as it is, and destroying leaves everything, with a warning. The token has
 * to exist; another `tokenId` is a replacement. Until a label or the flag is given nothing is sent, and what the service
 * reports is null.
 */
export class TokenMetadata extends pulumi.CustomResource {
  /** Id of the stored token, of which the key's owner has to be the owner. */
  declare readonly tokenId: pulumi.Output<Values["tokenId"]>;
  /** Label of the token. */
  declare readonly providerAccountLabel: pulumi.Output<Values["providerAccountLabel"]>;
  /** Whether it is the default one of its provider. */
  declare readonly isDefault: pulumi.Output<Values["isDefault"]>;
  /** Name of the connection in the configuration; the default one unless given. */
  declare readonly connection: pulumi.Output<Values["connection"]>;
  /** Provider that issued the token. */
  declare readonly providerId: pulumi.Output<Reported["providerId"] | null>;
  /** When it was stored, ISO 8601. */
  declare readonly createdAt: pulumi.Output<Reported["createdAt"] | null>;
  /** When it was last changed, ISO 8601. */
  declare readonly updatedAt: pulumi.Output<Reported["updatedAt"] | null>;
  /** What it allows, as the provider names it. */
  declare readonly scopes: pulumi.Output<Reported["scopes"] | null>;
  /** When it ends, ISO 8601; null for one that does not. */
  declare readonly expiresAt: pulumi.Output<Reported["expiresAt"] | null>;
  /** Base URL of the service that stores it. */
  declare readonly serviceUrl: pulumi.Output<string>;

  /** Declares a token's metadata. Bad arguments are refused at preview. */
  constructor(name: string, args: TokenMetadataArgs, options?: Options) {
    const properties = declared("TokenMetadata", name, args, OUTPUTS, options);
    const stacks = withoutStacks();
    try {
      super(typeToken("TokenMetadata"), name, properties, options);
    } catch (error) {
      throw stacks.placed(error);
    } finally {
      stacks.restore();
    }
    settleNotGiven(this, tokenMetadataArgumentRows, args);
  }
}
