import "../../support/engine/asPlugin";
import "../secrets.test";
