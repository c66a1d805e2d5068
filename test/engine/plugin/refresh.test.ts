import "../../support/engine/asPlugin";
import "../refresh.test";
