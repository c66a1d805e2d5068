import "./asPlugin";
import "../listener.test";
