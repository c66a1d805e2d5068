import "./asPlugin";
import "../adopt.test";
