/**
 * The global set-up of the unit tests: a folder for what the test files of a worker share. It is removed after all tests,
 * because workers are ended by a signal and cannot remove anything at their end.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder in the environment of the workers. */
export const SHARED_FOLDER = 'CELLAR_TEST_SHARED';

let folder = '';

/** Called by Vitest before all tests. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'cellar-shared-'));
  process.env[SHARED_FOLDER] = folder;
}

/** Called by Vitest after all tests. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
