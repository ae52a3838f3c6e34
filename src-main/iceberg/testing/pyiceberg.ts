/** Runs the Python programs of e2e/services that write and read Iceberg tables, for tests. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseExactJson } from '../exactJson.ts';

/** Programs that fake services, or write and read tables. */
export const SERVICES = join(import.meta.dirname, '../../../e2e/services');
const run = promisify(execFile);

/** The Python with pyiceberg; `npm test` installs it. */
export const PYTHON = process.env['CELLAR_TEST_SERVICES'];

/** Runs a program of e2e/services that writes tables. @returns its output, one JSON value per line */
export function writtenBy(program: string, ...args: readonly string[]): Promise<readonly unknown[]> {
  return runPython([join(SERVICES, program), ...args]);
}

/** Runs Python. @returns its output, one JSON value per line */
export async function runPython(args: readonly string[]): Promise<readonly unknown[]> {
  const { stdout } = await run(PYTHON ?? 'python3', ['-I', ...args], { maxBuffer: 256 * 1024 ** 2 });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseExactJson(line));
}
