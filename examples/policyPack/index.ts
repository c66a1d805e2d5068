import { PolicyPack } from "@pulumi/policy";
import { rules } from "./rules";

new PolicyPack("deployment-control", { enforcementLevel: "mandatory", policies: [...rules] });
