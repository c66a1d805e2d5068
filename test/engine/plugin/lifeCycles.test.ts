import "../../support/engine/asPlugin";
import "../lifeCycles.test";
