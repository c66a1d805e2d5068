import "../../support/engine/asPlugin";
import "../connections.test";
