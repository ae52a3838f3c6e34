/** The interface of a check: a function that finds the problems of a cell that depend on the rest of the notebook. */

import type { Graph } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CellEntry, NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { ServerWorkers } from '../../notebook/workers.ts';
import type { CellAnalysis } from '../cellAnalysis.ts';
import type { ModuleFacts } from '../modules/closure.ts';

/** The data of a cell that checks read. */
export interface CheckedCell {
  readonly id: CellId;
  readonly entry: CellEntry;
  readonly source: string;
  readonly analysis: CellAnalysis;
}

/** The data of the notebook around a cell that checks read. A notebook with a cycle has an empty graph. */
export interface CheckedNotebook {
  readonly file: NotebookFile;
  /** In notebook order. */
  readonly cells: ReadonlyMap<CellId, CheckedCell>;
  readonly graph: Graph;
  /** Absent: the names that star imports bring are unknown. */
  readonly modules?: Pick<ModuleFacts, 'stars'>;
  /** The workers of the server; absent: it has none. */
  readonly serverWorkers?: ServerWorkers;
}

/**
 * Finds the problems of one cell that depend on the rest of the notebook (docs/spec/annotations.md, 1.3). Pure. Every
 * check runs for every cell after every edit, so it must return early for cells that do not concern it.
 */
export type NotebookCheck = (cell: CheckedCell, notebook: CheckedNotebook) => readonly Diagnostic[];

/** No diagnostics. One shared array, so that checks without a result allocate nothing. */
export const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
