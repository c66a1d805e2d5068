import "../../support/engine/asPlugin";
import "../environment.test";
