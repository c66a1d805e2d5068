import "../../support/engine/asPlugin";
import "../adopt.test";
