import "../../support/engine/asPlugin";
import "../listener.test";
