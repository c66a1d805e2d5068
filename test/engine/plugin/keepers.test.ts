import "../../support/engine/asPlugin";
import "../keepers.test";
