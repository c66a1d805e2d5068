/** Java: a Maven project with the package that is generated from our schema. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { generatedPackage } from "./generatedPackage";
import { hosting, type Variables } from "./hosts";

const SCHEMA = path.join(__dirname, "..", "..", "..", "provider", "schema.json");
const { name, version, language } = JSON.parse(readFileSync(SCHEMA, "utf8"));

/** The name by which programs import the generated package. */
export const PACKAGE = `${language.java.basePackage}.${name.replaceAll("-", "")}`;

/** The environment variables of programs in Java, or the reason why such programs cannot run. */
export function findJava(): { readonly environment: Variables } | { readonly missing: string } {
  for (const program of ["javac", "mvn"])
    if (spawnSync(program, ["-version"]).status !== 0)
      return { missing: `there is no ${program} on the PATH` };
  try {
    return { environment: hosting("java") };
  } catch (error) {
    return { missing: (error as Error).message.trim().split("\n").at(-1) as string };
  }
}

/** Makes the folder a Maven project. Returns the project's source folder, which holds the generated package. */
export function mavenProject(folder: string): string {
  const generated = generatedPackage("java", folder);
  writeFileSync(path.join(folder, "pom.xml"), projectFile(readFileSync(`${generated}/build.gradle`, "utf8")));
  // Maven does not write `version.txt`, which a Gradle build of the package would write.
  const place = [...language.java.basePackage.split("."), name];
  const resources = path.join(generated, "src", "main", "resources", ...place);
  mkdirSync(resources, { recursive: true });
  writeFileSync(path.join(resources, "version.txt"), version);
  return path.join(generated, "src", "main", "java");
}

/**
 * Maven's project file. Its versions come from the package's Gradle file. The Gradle file names the oldest Pulumi SDK
 * that works.
 */
function projectFile(gradle: string): string {
  const dependencies = [...gradle.matchAll(/implementation\("([^:"]+):([^:"]+):([^"]+)"\)/g)].map(
    ([, group, artifact, version]) => `<dependency>${coordinates(group, artifact, version)}</dependency>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  ${coordinates("test", "program", "1")}
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <mainClass>program.App</mainClass>
  </properties>
  <dependencies>${dependencies.join("")}</dependencies>
  <build>
    <sourceDirectory>java/src/main/java</sourceDirectory>
    <resources><resource><directory>java/src/main/resources</directory></resource></resources>
    <plugins>
      <plugin>${coordinates("org.apache.maven.plugins", "maven-resources-plugin", "3.3.1")}</plugin>
      <plugin>${coordinates("org.apache.maven.plugins", "maven-compiler-plugin", "3.13.0")}</plugin>
      <plugin>
        ${coordinates("org.codehaus.mojo", "exec-maven-plugin", "3.1.0")}
        <configuration>
          <mainClass>\${mainClass}</mainClass>
          <commandlineArgs>\${mainArgs}</commandlineArgs>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;
}

const coordinates = (group = "", artifact = "", version = ""): string =>
  `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
