import "./asPlugin";
import "../badService.test";
