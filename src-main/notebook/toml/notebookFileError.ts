import { AppError } from '../../../src-shared/wire/errors.ts';

/** An unusable notebook file: which file, which line, what the problem is, as a message for a user. */
export class NotebookFileError extends Error {
  /** Relative to the notebook directory, e.g. `notebook.toml`. */
  readonly file: string;
  /** 1-based; null when the problem has no single position. */
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

/** A notebook.toml that is broken, or cannot be edited in this way, refuses the edit and does not change. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof NotebookFileError)) return error;
  return new AppError(
    'conflict',
    `${error.message}. Nothing was written to the file. Fix it, then edit again.`,
  );
}
