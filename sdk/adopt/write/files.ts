/** The files that an output format writes, and the quoting of strings in them. */
import { unicodeEscapes } from "../../../provider/schema/words";
import type { Program } from "./program";

export type Files = Readonly<Record<string, string>>;

/** A project's names and versions. */
export interface Project {
  /** The name is valid for both a Pulumi project and an npm package. */
  readonly name: string;
  /** The version or location of this package that the program's package.json names. */
  readonly packageSpec: string;
  /** A version of Pulumi's SDK that works with this package. */
  readonly pulumiVersion: string;
}

export interface Format {
  /** Whether the files declare the resources. If they do not, `pulumi import` writes the program. */
  readonly declares: boolean;
  /** Writes all files of the project except the README. */
  readonly files: (program: Program, project: Project) => Files;
  /** The README's next steps, in Markdown. */
  readonly steps: (project: Project) => string;
}

/** Characters that end a line or a comment, change the text direction, or are invisible. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A string literal that is valid in JSON and JavaScript, with invisible characters escaped. */
export const quoted = (text: string): string => JSON.stringify(text).replace(UNSEEN, unicodeEscapes);
