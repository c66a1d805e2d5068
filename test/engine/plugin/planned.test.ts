import "../../support/engine/asPlugin";
import "../planned.test";
