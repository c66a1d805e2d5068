import "../../support/engine/asPlugin";
import "../everyCanary.test";
