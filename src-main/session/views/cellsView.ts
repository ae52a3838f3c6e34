/** Reads the cells of a session in their wire form, and details of single cells. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import type { ConsoleLogs } from '../../notebook/stored/consoleLogs.ts';
import type { StepTools } from '../../run/stepTools.ts';
import type { SessionState } from '../state/state.ts';
import { type ConsoleLog, consoleLogOf, type LiveRun } from '../view/consoleLogOf.ts';
import { explainCell, withSharing } from '../view/explainCell.ts';
import { viewCell, viewCells } from '../view/view.ts';

/** The cells in their wire form, and details of single cells. */
export interface CellsView {
  /** The same array until a cell changes, so that its JSON is built once; callers must not change it. */
  all(): Cell[];
  one(id: CellId): Cell | null;
  /** Why a cell has its status; null for an unknown cell. */
  explain(id: CellId): Explanation | null;
  /** Everything a cell's last run printed; null for an unknown cell. */
  consoleLog(id: CellId, stream: 'stdout' | 'stderr'): Promise<ConsoleLog | null>;
}

/** Creates the view of one session's cells. */
export function createCellsView(
  { logs, stepTools }: { readonly logs: ConsoleLogs; readonly stepTools: Pick<StepTools, 'team'> },
  access: { readonly state: () => SessionState; readonly live: () => LiveRun | null },
): CellsView {
  const { state, live } = access;
  return {
    all: () => viewCells(state()),
    one(id) {
      const cell = state().cells.get(id);
      return cell === undefined ? null : viewCell(state(), cell);
    },
    explain: (id) => withSharing(explainCell(state(), id), stepTools.team?.notShared),
    consoleLog: (id, stream) => consoleLogOf(state(), id, { stream, live: live(), logs }),
  };
}
