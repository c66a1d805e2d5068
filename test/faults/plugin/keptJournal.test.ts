import "../../support/engine/asPlugin";
import "../keptJournal.test";
