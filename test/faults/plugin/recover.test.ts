import "../../support/engine/asPlugin";
import "../recover.test";
