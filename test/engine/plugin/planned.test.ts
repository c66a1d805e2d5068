import "./asPlugin";
import "../planned.test";
