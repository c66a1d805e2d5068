/** Python with Pulumi's SDK and the package that is generated from our schema. */
import { hosting, linesOf, type Variables } from "./hosts";

/** The folder of Python's programs, or the reason why there are none. */
export function findPython(): { readonly programs: string } | { readonly missing: string } {
  try {
    return { programs: linesOf("python.mjs")[0] as string };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** The variables with which programs in Python find the package in `generated`, which is installed to `folder`. */
export function pythonVariables(programs: string, generated: string, folder: string): Variables {
  linesOf("python.mjs", generated, folder);
  return { ...hosting("python", programs), PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
}
