import "../../support/engine/asPlugin";
import "../compared.test";
