import "../../support/engine/asPlugin";
import "../sourceRules.test";
