import "../../support/engine/asPlugin";
import "../checkpointsOff.test";
