/** Finds folders that are shipped with the program, above all the harness that runs cells. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder shipped with the program: beside the bundle if built, else in the source tree. */
export function shippedDir(name: string, inSource: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, name);
  return existsSync(beside) ? beside : join(here, '../..', inSource);
}

/** The program that runs cells, shipped with this one. */
export function harnessFolder(): string {
  return shippedDir('harness', 'harness');
}
