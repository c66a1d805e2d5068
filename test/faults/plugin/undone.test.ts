import "../../support/engine/asPlugin";
import "../undone.test";
