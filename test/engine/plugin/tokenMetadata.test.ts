import "./asPlugin";
import "../tokenMetadata.test";
