import { runs } from "../support/examples/example";
import { installedPackage } from "../support/languages/python";
import { quickstart } from "../support/languages/quickstart";

const installed = installedPackage();
const { testOfPython } = installed;

testOfPython("the example python runs as its README says: `pulumi up` twice, each edit, destroy", () =>
  runs("python", { ...quickstart, environment: installed.environment }),
);
