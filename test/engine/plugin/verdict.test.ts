import "./asPlugin";
import "../verdict.test";
