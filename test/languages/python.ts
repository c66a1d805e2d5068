/** Python with Pulumi's SDK and the one that is generated from our schema. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { hosting, linesOf, type Variables } from "./hosts";

/** Where Python's programs are; why there are none, in words, where they cannot be had. */
export function findPython(): { readonly programs: string } | { readonly missing: string } {
  try {
    return { programs: linesOf("python.mjs")[0] as string };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** The variables with which programs in Python run: those find the package generated in `generated`, installed to `folder`. */
export function pythonVariables(programs: string, generated: string, folder: string): Variables {
  // The environment has all that it depends on, and is shared: nothing of one run's stays in it.
  const alone = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"];
  const python = path.join(programs, process.platform === "win32" ? "python" : "python3");
  execFileSync(python, ["-m", "pip", "install", ...alone, "--target", folder, generated], { stdio: "pipe" });
  return { ...hosting("python", programs), PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
}
