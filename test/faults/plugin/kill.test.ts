import "../../engine/plugin/asPlugin";
import "../kill.test";
