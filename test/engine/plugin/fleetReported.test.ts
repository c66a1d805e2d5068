import "../../support/engine/asPlugin";
import "../fleetReported.test";
