/** `pulumi-resource-deployment-control`: the provider plugin, which the Pulumi engine starts. */
import { main } from "../../provider/plugin";

void main();
