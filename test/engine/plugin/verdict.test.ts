import "../../support/engine/asPlugin";
import "../verdict.test";
