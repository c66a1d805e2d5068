/** What a format can be told; each takes what concerns it. */
export interface FormatOptions {
  /** Colours for a terminal; none unless set. Of the text format only. */
  readonly colour?: boolean;
  /** Columns of the terminal; lines are not cut unless set. Of the text format only. */
  readonly width?: number;
  /** Most bytes of the Markdown format: 65,535 unless set, which is what fits a comment on GitHub. */
  readonly limit?: number;
}
