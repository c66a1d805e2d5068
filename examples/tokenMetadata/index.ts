import * as pulumi from "@pulumi/pulumi";
import { TokenMetadata } from "pulumi-deployment-control";

const settings = new pulumi.Config("tokenMetadata");
const tokenId = settings.require("tokenId");
const label = settings.get("label") ?? "Continuous integration";
const isDefault = settings.getBoolean("isDefault") ?? true;

// The owner of the token has stored it on the service, and this can be applied only with the owner's key.
const token = new TokenMetadata("ci", { tokenId, providerAccountLabel: label, isDefault });

export const provider = token.providerId;
export const expiresAt = token.expiresAt;
