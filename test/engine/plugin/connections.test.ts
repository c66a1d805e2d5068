import "./asPlugin";
import "../connections.test";
