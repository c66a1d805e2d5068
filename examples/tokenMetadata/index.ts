import * as pulumi from "@pulumi/pulumi";
import { TokenMetadata } from "pulumi-deployment-control";

const settings = new pulumi.Config("tokenMetadata");
const tokenId = settings.require("tokenId");
const label = settings.get("label") ?? "Continuous integration";
const isDefault = settings.getBoolean("isDefault") ?? true;

// The token's owner has stored the token on the service. The stack's API key must be that owner's key.
const token = new TokenMetadata("ci", { tokenId, providerAccountLabel: label, isDefault });

export const provider = token.providerId;
export const expiresAt = token.expiresAt;
