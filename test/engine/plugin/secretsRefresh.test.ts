import "./asPlugin";
import "../secretsRefresh.test";
