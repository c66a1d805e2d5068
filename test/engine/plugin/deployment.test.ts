import "./asPlugin";
import "../deployment.test";
