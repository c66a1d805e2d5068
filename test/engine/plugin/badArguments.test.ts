import "./asPlugin";
import "../badArguments.test";
