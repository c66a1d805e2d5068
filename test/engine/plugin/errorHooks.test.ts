import "../../support/engine/asPlugin";
import "../errorHooks.test";
