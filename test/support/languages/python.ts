/** Python with Pulumi's SDK and the package that is generated from our schema. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { generatedPackage } from "./generatedPackage";
import { hosting, linesOf, type Variables, WITH_BUILD } from "./hosts";

/** The folder with Python's executables, or the reason why there is none. */
function findPython(): { readonly programs: string } | { readonly missing: string } {
  try {
    return { programs: linesOf("python.mjs")[0] as string };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/**
 * Installs the package in `generated` into `folder`. Returns the environment variables with which programs find it.
 */
function pythonVariables(programs: string, generated: string, folder: string): Variables {
  linesOf("python.mjs", generated, folder);
  return { ...hosting("python", programs), PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
}

interface InstalledPackage {
  /** Declares a test that is skipped on a machine without Python. */
  readonly testOfPython: typeof test;
  /** The folder in which the package was generated; set before the first test. */
  folder: string;
  /** The environment variables of programs that use the package; set before the first test. */
  environment: Variables;
}

/** Generates and installs the package before the file's tests, and removes the package after these tests. */
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
