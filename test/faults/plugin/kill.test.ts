import "../../support/engine/asPlugin";
import "../kill.test";
