import type { Cell } from '../../src-shared/wire/cell.ts';
import { WORDS } from '../words/strings.ts';

/** The label of a cell's status, used in all places. */
export function statusWords({ status, stopped_ms: stopped, unkept }: Cell): string {
  if (status !== 'idle') return WORDS.status[status];
  if (stopped !== undefined) return WORDS.stopped;
  return unkept === undefined ? WORDS.status.idle : WORDS.notKept;
}
