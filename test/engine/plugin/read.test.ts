import "../../support/engine/asPlugin";
import "../read.test";
