import "../../support/engine/asPlugin";
import "../expected.test";
