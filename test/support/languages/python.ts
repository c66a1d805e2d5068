/** Python with Pulumi's SDK and the package that is generated from our schema. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { generatedPackage } from "./generatedPackage";
import { hosting, linesOf, type Variables, WITH_BUILD } from "./hosts";

/** The folder of Python's programs, or the reason why there are none. */
function findPython(): { readonly programs: string } | { readonly missing: string } {
  try {
    return { programs: linesOf("python.mjs")[0] as string };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** The variables with which programs in Python find the package in `generated`, which is installed to `folder`. */
function pythonVariables(programs: string, generated: string, folder: string): Variables {
  linesOf("python.mjs", generated, folder);
  return { ...hosting("python", programs), PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
}

interface InstalledPackage {
  /** Runs where Python can be had, and is skipped elsewhere. */
  readonly testOfPython: typeof test;
  /** Where the package was generated; set before the first test. */
  folder: string;
  /** The variables of programs that use the package; set before the first test. */
  environment: Variables;
}

/** Generates and installs the package before the tests of the file, and removes it after them. */
export function installedPackage(): InstalledPackage {
  const python = findPython();
  const testOfPython = "programs" in python ? test : test.skip;
  const installed: InstalledPackage = { testOfPython, folder: "", environment: {} };
  if ("missing" in python) {
    process.stderr.write(`Programs in Python are skipped: ${python.missing}\n`);
    return installed;
  }
  beforeAll(() => {
    installed.folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-python-"));
    const generated = generatedPackage("python", installed.folder);
    installed.environment = pythonVariables(
      python.programs,
      generated,
      path.join(installed.folder, "installed"),
    );
  }, WITH_BUILD);
  afterAll(() => installed.folder && rmSync(installed.folder, { recursive: true, force: true }));
  return installed;
}
