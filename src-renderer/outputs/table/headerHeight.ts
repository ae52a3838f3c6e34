/** Computes the height of a table's header, with or without the bars below the column names. */

import type { Output } from '../../../src-shared/wire/output.ts';

/** Height of the header with names and summaries, in CSS px. */
const NAMES = 42;
/** Height of the bars below them with the space around, in CSS px. */
const BARS = 22;
/** A table with fewer rows has no bars: its values are seen at a glance. */
const FEWEST_ROWS = 20;

/** Whether the headers of a table have bars; known before the bars are loaded, so that nothing jumps. */
export function hasBars({ artifact_uri, rows }: Pick<Output, 'artifact_uri' | 'rows'>): boolean {
  return artifact_uri !== null && rows !== null && rows >= FEWEST_ROWS;
}

export function headerHeight(bars: boolean): number {
  return bars ? NAMES + BARS : NAMES;
}
