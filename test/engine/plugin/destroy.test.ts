import "../../support/engine/asPlugin";
import "../destroy.test";
