/** Shows and stores the output of runs that ended because their server was killed. */

import { withCutMark } from '../../../src-shared/wire/cutConsole.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ConsoleLogs } from '../../notebook/stored/consoleLogs.ts';
import { type CutRun, forgetCutRuns } from '../../notebook/stored/runningConsoles.ts';
import { saveConsole } from '../../notebook/stored/runtimeState.ts';
import type { CellState } from '../state/state.ts';

/**
 * The output of a run that was cut off with its server, as the cell's last run: like a cancelled run, it is
 * marked as cut, in the stream that is shown last.
 */
export function withCutRun(cell: CellState, cut: CutRun | undefined): CellState {
  if (cut === undefined) return cell;
  const { run, stdout, stderr } = cut;
  const console =
    stderr === '' ? { stdout: withCutMark(stdout), stderr } : { stdout, stderr: withCutMark(stderr) };
  return { ...cell, console, logRun: run };
}

/** Stores the output of cut-off runs in the same way as the consoles of other runs. */
export async function saveCutRuns(
  dir: NotebookFolder,
  cuts: {
    readonly runs: readonly CutRun[];
    readonly cells: ReadonlyMap<string, CellState>;
    readonly logs: ConsoleLogs;
  },
): Promise<void> {
  for (const cut of cuts.runs) {
    const cell = cuts.cells.get(cut.id);
    if (cell === undefined) continue;
    await saveConsole(dir, cell.id, cell.console);
    await cuts.logs.end(cell.id, cut.run, cut);
  }
  await forgetCutRuns(dir);
}
