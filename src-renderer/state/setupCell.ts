/** Recognizes the set-up cell, which runs at the start of every Python process. */

import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';

/** Whether a cell's text contains `@setup`. Called for every visible cell, so it is fast for other texts. */
export function declaresSetup(source: string): boolean {
  return /@setup/i.test(source) && parseAnnotations(source, 'python').setup;
}

/**
 * Whether a cell is the set-up cell: it has `@setup`, and the server reports no problem with that (docs/extensions.md).
 */
export function isSetupCell(cell: Pick<Cell, 'language' | 'source' | 'annotation_diagnostics'>): boolean {
  return (
    LANGUAGES[cell.language].setsUp &&
    declaresSetup(cell.source) &&
    !cell.annotation_diagnostics.some(({ code }) => code.startsWith('setup_') && code !== 'setup_seed')
  );
}
