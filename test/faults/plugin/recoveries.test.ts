import "../../support/engine/asPlugin";
import "../recoveries.test";
