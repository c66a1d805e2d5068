// `npm run examples`: translates the schema's YAML examples with Pulumi's own program generators. The
// translations become part of the schema. The generators read the schema only for names and types.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fail, root, runQuietly } from "../steps.mjs";
import { goTool } from "../toolchain/go-tools.mjs";

const folder = path.join(root, "tools", "docs", "schema", "examples");

/** Replaces enums with strings, so that programs use the service's own strings, which every language accepts. */
function inWords(value) {
  if (Array.isArray(value)) return value.map(inWords);
  if (typeof value !== "object" || value === null) return value;
  const { oneOf, ...others } = value;
  const isWord = oneOf?.some(({ type }) => type === "string");
  const members = isWord ? { ...others, type: "string" } : value;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, inWords(member)]));
}

/** Corrects the Java program in the places where the generator's code does not compile. */
function compilable(program, { name, language }) {
  const base = `${language.java.basePackage}.${name.replaceAll("-", "")}`;
  const corrected = program
    // The generator imports resources from the schema's package, but everything else from a package in
    // com.pulumi.
    .replaceAll(/^import com\.pulumi\.deploymentcontrol\./gm, `import ${base}.`)
    // Every object in Java has methods with these names, so the generated package adds an underscore.
    .replaceAll(/\.(wait|equals)\(/g, ".$1_(")
    // In Java, a map of strings does not accept an output as a value.
    .replaceAll(/Map\.of\(("\w+"), ([\w.]+\(\))\)/g, "$2.applyValue(value -> Map.of($1, value))");
  // The generator does not import the types of a map's values.
  const missing = [...corrected.matchAll(/(\w+Args)\.builder/g)]
    .map(([, type]) => `.${type};\n`)
    .filter((end) => !corrected.includes(end))
    .map((end) => `import ${base}.inputs${end}`);
  return corrected.replace("import java.util.List;", `${missing.join("")}import java.util.List;`);
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-examples-"));
try {
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const schema = path.join(work, "schema.json");
  const definition = JSON.parse(fs.readFileSync(path.join(root, "provider", "schema.json"), "utf8"));
  fs.writeFileSync(schema, JSON.stringify(inWords(definition)));
  const programs = runQuietly(goTool("example-generator"), [
    schema,
    ...files.map((name) => path.join(folder, name)),
  ]);
  const target = process.argv[2] ?? path.join(folder, "translated.json");
  const translated = Object.entries(JSON.parse(programs)).map(([name, languages]) => {
    // The YAML is stored beside its translations, so that a guard can detect a stale translation without Go.
    const yaml = fs.readFileSync(path.join(folder, `${name}.yaml`), "utf8");
    return [name, { ...languages, java: compilable(languages.java, definition), yaml }];
  });
  fs.writeFileSync(target, `${JSON.stringify(Object.fromEntries(translated), undefined, 2)}\n`);
} catch (error) {
  fail(error);
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
