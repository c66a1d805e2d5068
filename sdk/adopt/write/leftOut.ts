/** What a program does not give of a deployment. */
export interface LeftOut {
  /** Path of the argument, or of the service's own field. */
  readonly path: string;
  readonly why: string;
}
