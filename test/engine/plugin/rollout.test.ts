import "./asPlugin";
import "../rollout.test";
