import "../../engine/plugin/asPlugin";
import "../orphan.test";
