/** A part of a deployment that the program does not declare. */
export interface LeftOut {
  /** Path of the argument, or of the service's own field. */
  readonly path: string;
  readonly why: string;
}
