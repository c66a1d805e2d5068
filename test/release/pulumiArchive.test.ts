/** Tests how the download of Pulumi's CLI names an archive and checks its checksum. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";

const TOOLCHAIN = path.join(__dirname, "../../tools/toolchain");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The value of an expression that calls the download's functions, or the message of a function's error. */
function evaluated(expression: string): string {
  const module = JSON.stringify(path.join(TOOLCHAIN, "download-pulumi.mjs"));
  const script = `import { pathToFileURL } from "node:url";
    const { archiveName, sumOf, requireSum } = await import(pathToFileURL(${module}).href);
    try { console.log(${expression}); } catch (error) { console.log(error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.trim();
}

test("an archive without a recorded checksum is not downloaded, even if similar names have a checksum", () => {
  const recorded = JSON.stringify(
    `# a comment\n${sha256("a")}  pulumi-v3.250.0-linux-x64.tar.gz.sig\nshort  x.zip\n`,
  );
  expect(evaluated(`sumOf("pulumi-v3.250.0-linux-x64.tar.gz", ${recorded}, "pulumi.sha256")`)).toBe(
    "download skipped: pulumi.sha256 has no sum of pulumi-v3.250.0-linux-x64.tar.gz",
  );
  expect(evaluated(`sumOf("x.zip", ${recorded}, "pulumi.sha256")`)).toMatch(/has no sum of x\.zip/);
});

test("an archive is accepted only if its bytes have the recorded checksum", () => {
  const recorded = JSON.stringify(`${sha256("reviewed")} *${"x.zip"}\n`);
  const check = (bytes: string) =>
    `requireSum(${JSON.stringify(bytes)}, sumOf("x.zip", ${recorded}, "pulumi.sha256"), "x.zip")`;
  expect(evaluated(check("reviewed"))).toBe("undefined");
  expect(evaluated(check("replaced"))).toBe(
    `download refused: x.zip has the sum ${sha256("replaced")}, not ${sha256("reviewed")}`,
  );
});
