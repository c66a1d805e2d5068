import * as pulumi from "@pulumi/pulumi";
import { TokenMetadata } from "pulumi-deployment-control";

const settings = new pulumi.Config("tokenMetadata");
const tokenId = settings.require("tokenId");
const label = settings.get("label") ?? "Continuous integration";
const isDefault = settings.getBoolean("isDefault") ?? true;

// The token has been stored by its owner, and only with the owner's key can this be applied.
const token = new TokenMetadata("ci", { tokenId, providerAccountLabel: label, isDefault });

export const provider = token.providerId;
export const expiresAt = token.expiresAt;
