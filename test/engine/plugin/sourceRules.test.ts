import "./asPlugin";
import "../sourceRules.test";
