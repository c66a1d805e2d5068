import "../../support/engine/asPlugin";
import "../smokeTest.test";
