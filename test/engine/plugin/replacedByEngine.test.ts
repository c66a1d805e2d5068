import "../../support/engine/asPlugin";
import "../replacedByEngine.test";
