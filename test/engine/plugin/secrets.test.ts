import "./asPlugin";
import "../secrets.test";
