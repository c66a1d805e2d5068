/** `pulumi-resource-deployment-control`: what the Pulumi engine starts as the provider plugin. */
import { main } from "../../provider/plugin";

void main();
