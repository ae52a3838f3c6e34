/** The program that runs a cell, and the code that runs before the cell in its process. */

/** A Python that runs cells, or the Rscript of an R cell. `identity` changes when its environment changes. */
export interface PythonInterpreter {
  readonly path: string;
  readonly identity: string;
}

/** The set-up cell, whose code runs before a cell in the cell's process (docs/extensions.md). */
export interface SetupCode {
  readonly source: string;
  /** The name that tracebacks show, as `<set-up cell NAME>`. */
  readonly cellName: string;
}
