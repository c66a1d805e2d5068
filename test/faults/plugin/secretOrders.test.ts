import "../../support/engine/asPlugin";
import "../secretOrders.test";
