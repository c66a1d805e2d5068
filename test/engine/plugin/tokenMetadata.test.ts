import "../../support/engine/asPlugin";
import "../tokenMetadata.test";
