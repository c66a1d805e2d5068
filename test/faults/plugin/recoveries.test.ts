import "../../engine/plugin/asPlugin";
import "../recoveries.test";
