/** Determines which outputs a cell shows: its own, or before its first run those of the imported file. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { CellState } from '../state/state.ts';

type ShownOutputs = Pick<
  Cell,
  'display_outputs' | 'display_output' | 'console_stdout' | 'console_stderr' | 'imported'
>;

/**
 * What a cell that is not running shows: the results of its last run or, before its first run, the outputs of
 * its imported file.
 */
export function viewShown(cell: CellState): ShownOutputs {
  const { imported } = cell;
  if (imported !== null && hasNeverRun(cell)) {
    return {
      ...shownOf(imported.displays),
      console_stdout: imported.stdout,
      console_stderr: imported.stderr,
      imported: true,
    };
  }
  return {
    ...shownOf(cell.status === 'error' ? [] : cell.displays),
    console_stdout: cell.console.stdout,
    console_stderr: cell.console.stderr,
  };
}

function shownOf(displays: CellState['displays']): Pick<Cell, 'display_outputs' | 'display_output'> {
  return { display_outputs: [...displays], display_output: displays.at(-1) ?? null };
}

/** Each ended, failed or stopped run sets one of these, here and in the record. */
function hasNeverRun({ record, lastRun, lastError, stoppedMs, displays, console }: CellState): boolean {
  const nothing = record === null && lastRun === null && lastError === null && stoppedMs === null;
  return nothing && displays.length === 0 && console.stdout === '' && console.stderr === '';
}

/** The view of a running cell: the imported outputs disappear as soon as the cell runs. */
export function withoutImported({ imported, ...view }: Cell): Cell {
  return imported === undefined ? view : { ...view, ...shownOf([]) };
}
