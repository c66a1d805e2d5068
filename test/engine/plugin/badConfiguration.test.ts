import "./asPlugin";
import "../badConfiguration.test";
