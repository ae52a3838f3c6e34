/** Height of a table's header. */

import type { Output } from '../../../src-shared/wire/output.ts';

/** Height of the header with names and summaries, in CSS px. */
const NAMES = 42;
/** And of the bars below them, with the space around. */
const BARS = 22;
/** Fewer rows are seen at a glance: a row of bars would say less than they do. */
const FEWEST_ROWS = 20;

/** Whether the columns of a table are drawn with bars: known before any of them is, so that nothing jumps. */
export function hasBars({ artifact_uri, rows }: Pick<Output, 'artifact_uri' | 'rows'>): boolean {
  return artifact_uri !== null && rows !== null && rows >= FEWEST_ROWS;
}

export function headHeight(bars: boolean): number {
  return bars ? NAMES + BARS : NAMES;
}
