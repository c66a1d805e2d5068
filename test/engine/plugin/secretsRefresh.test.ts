import "../../support/engine/asPlugin";
import "../secretsRefresh.test";
