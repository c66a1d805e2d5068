import "../../support/engine/asPlugin";
import "../afterFailure.test";
