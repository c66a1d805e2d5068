import "../../engine/plugin/asPlugin";
import "../everyCanary.test";
