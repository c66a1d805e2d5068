import "../../support/engine/asPlugin";
import "../orphan.test";
