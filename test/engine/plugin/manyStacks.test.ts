import "../../support/engine/asPlugin";
import "../manyStacks.test";
