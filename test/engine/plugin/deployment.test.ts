import "../../support/engine/asPlugin";
import "../deployment.test";
