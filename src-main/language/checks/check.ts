import type { Graph } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CellEntry, NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { CellAnalysis } from '../analyzeCell.ts';
import type { ModuleFacts } from '../modules/closure.ts';

/** What a check sees of a cell. */
export interface CheckedCell {
  readonly id: CellId;
  readonly entry: CellEntry;
  readonly source: string;
  readonly analysis: CellAnalysis;
}

/** What a check sees of the notebook around it. A notebook with a cycle has an empty graph. */
export interface CheckedNotebook {
  readonly file: NotebookFile;
  /** In notebook order. */
  readonly cells: ReadonlyMap<CellId, CheckedCell>;
  readonly graph: Graph;
  /** Absent: nothing is known of what star imports bring. */
  readonly modules?: Pick<ModuleFacts, 'stars'>;
  /** Absent: the server has none. */
  readonly serverWorkers?: ServerWorkers;
}

/**
 * Finds faults of one cell that only the notebook around it shows (annotations 1.3). Pure, and asked of every cell
 * after every edit: it leaves at its first look where the cell has nothing to do with it.
 */
export type NotebookCheck = (cell: CheckedCell, notebook: CheckedNotebook) => readonly Diagnostic[];

/** Nothing found. */
export const NONE: readonly Diagnostic[] = [];
