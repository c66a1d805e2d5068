import "./asPlugin";
import "../smokeTest.test";
