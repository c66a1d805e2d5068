import "../../engine/plugin/asPlugin";
import "../checkpointsOff.test";
