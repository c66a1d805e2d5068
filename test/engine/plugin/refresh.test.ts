import "./asPlugin";
import "../refresh.test";
