import "../../support/engine/asPlugin";
import "../verified.test";
