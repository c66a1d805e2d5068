import "../../support/engine/asPlugin";
import "../rollout.test";
