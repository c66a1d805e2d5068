import "../../support/engine/asPlugin";
import "../badService.test";
