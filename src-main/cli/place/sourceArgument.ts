/** Reads the source text that `--file` of `svc cell add`, `edit` and `test` names. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errnoOf } from '../../lib/atomicFile.ts';
import { UsageError } from '../arguments.ts';

/** The content of `--file`: a file, or `-` for standard input. @throws UsageError if it cannot be read */
export async function readSourceArgument(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === null || !(error instanceof Error)) throw error;
    throw new UsageError(`--file cannot be read: ${error.message}`);
  }
}
