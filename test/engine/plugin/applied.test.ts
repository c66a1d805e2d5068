import "../../support/engine/asPlugin";
import "../applied.test";
