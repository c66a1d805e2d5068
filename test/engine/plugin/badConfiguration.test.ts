import "../../support/engine/asPlugin";
import "../badConfiguration.test";
