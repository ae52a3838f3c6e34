import { AppError } from '../../../src-shared/wire/errors.ts';

/** A notebook file that cannot be used as it stands: which file, which line, what is wrong, in words for a person. */
export class NotebookFileError extends Error {
  /** Relative to the notebook directory, e.g. `notebook.toml`. */
  readonly file: string;
  /** 1-based; null when the problem is not at one place. */
  readonly line: number | null;
  readonly problem: string;

  constructor(problem: string, where: { readonly file?: string; readonly line?: number | null } = {}) {
    const file = where.file ?? 'notebook.toml';
    const line = where.line ?? null;
    super(`${line === null ? file : `${file}:${line}`}: ${problem}`);
    this.name = 'NotebookFileError';
    this.file = file;
    this.line = line;
    this.problem = problem;
  }
}

/** A notebook.toml that is broken, or cannot take an edit, refuses the edit and stays as it is. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof NotebookFileError)) return error;
  return new AppError(
    'conflict',
    `${error.message}. Nothing was written to the file. Fix it, then edit again.`,
  );
}
