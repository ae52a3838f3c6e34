import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { CellState } from '../state/state.ts';

type Shown = Pick<
  Cell,
  'display_outputs' | 'display_output' | 'console_stdout' | 'console_stderr' | 'imported'
>;

/** What a cell shows while it rests: what its last run left, or, before its first run, what its imported file had. */
export function viewShown(cell: CellState): Shown {
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

/** A run that ended, failed or was stopped leaves one of these, here and in what is remembered of it. */
function hasNeverRun({ record, lastRun, lastError, stoppedMs, displays, console }: CellState): boolean {
  const nothing = record === null && lastRun === null && lastError === null && stoppedMs === null;
  return nothing && displays.length === 0 && console.stdout === '' && console.stderr === '';
}

/** The view of a cell whose run is under way: what the file showed is over as soon as the cell runs. */
export function withoutImported({ imported, ...view }: Cell): Cell {
  return imported === undefined ? view : { ...view, ...shownOf([]) };
}
