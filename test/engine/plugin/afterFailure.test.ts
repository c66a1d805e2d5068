import "./asPlugin";
import "../afterFailure.test";
