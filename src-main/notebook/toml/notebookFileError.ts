import { AppError } from '../../../src-shared/wire/errors.ts';

/**
 * The error for an unusable notebook.toml or cell file: which file, which line, and what the problem is, as a message
 * for a user.
 */
export class NotebookFileError extends Error {
  /** The path relative to the notebook's folder, e.g. `notebook.toml`. */
  readonly file: string;
  /** The line, from 1; null when the problem has no single position. */
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

/**
 * Converts an error of notebook.toml to the refusal of an edit: a file that is broken, or cannot be edited in this way,
 * does not change.
 */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof NotebookFileError)) return error;
  return new AppError(
    'conflict',
    `${error.message}. Nothing was written to the file. Fix it, then edit again.`,
  );
}
