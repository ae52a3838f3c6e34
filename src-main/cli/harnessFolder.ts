import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder shipped with the program: beside the bundle when built, in the source tree otherwise. */
export function shippedDir(name: string, inSource: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, name);
  return existsSync(beside) ? beside : join(here, '../..', inSource);
}

/** What runs cells, shipped with the program. */
export function harnessFolder(): string {
  return shippedDir('harness', 'harness');
}
