import "../../support/engine/asPlugin";
import "../wayBackStacks.test";
