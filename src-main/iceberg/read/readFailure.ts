import { SqlError } from '../../sql/sqlError.ts';
import { damaged, IcebergError } from '../icebergError.ts';
import type { ContentFile } from '../metadata/manifests.ts';

/**
 * Converts an error of DuckDB while it reads a data file to an error about that file. An abort from outside is returned
 * unchanged.
 */
export function readFailure(error: unknown, location: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof IcebergError) return error;
  // A value that Arrow cannot represent, such as an infinite date.
  if (error instanceof SqlError) return damaged(location, error.message, error);
  if (!(error instanceof Error)) return error;
  const { message } = error;
  // The statement is ours, so an error in it is not a fault of the file.
  if (/^(Parser|Catalog) Error/.test(message)) return error;
  if (/no files found|cannot open file|no such file/i.test(message)) {
    return damaged(location, 'the file is missing.', error);
  }
  if (/encrypt/i.test(message))
    return damaged(location, 'the file is encrypted, which is not supported.', error);
  if (/out of memory/i.test(message)) {
    return new IcebergError(
      'too_large',
      `${location} cannot be read within the memory limit of a scan. Compact the table, or read fewer columns.`,
      { cause: error },
    );
  }
  return damaged(location, `the file is damaged (${firstLine(message)}).`, error);
}

/** The error for a file that is not the one that its manifest describes. */
export function changedFileError({ path, recordCount }: ContentFile, rows: unknown): IcebergError {
  return damaged(path, `it has ${String(rows)} rows, and its manifest says ${recordCount}.`);
}

/** The first line of DuckDB's message, without the local path. */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/["'](?:\/|[A-Za-z]:\\)[^"']*["']/g, 'the file').slice(0, 200);
}
