import "../../support/engine/asPlugin";
import "../badArguments.test";
