import "../../support/engine/asPlugin";
import "../otherReleases.test";
