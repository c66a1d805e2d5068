import "./asPlugin";
import "../destroy.test";
