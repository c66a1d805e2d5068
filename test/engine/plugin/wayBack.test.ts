import "../../support/engine/asPlugin";
import "../wayBack.test";
