/**
 * Determines how the set-up cell affects other cells: the code they run first, their source hash, and the modules they
 * may import.
 */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { SetupCode } from '../../exec/interpreter.ts';
import { setupCellOf } from '../../language/checks/setup.ts';
import { withSetupHash } from '../../run/setupHash.ts';
import type { CellState, SessionState } from '../state/state.ts';

type Notebook = Pick<SessionState, 'cells' | 'graph'>;

/**
 * The set-up cell that runs before a cell, in its process (docs/extensions.md). Null for the set-up cell
 * itself, without a set-up cell, and for cells that start no Python. The values of a prompt are read and
 * shown by Python.
 */
export function setupCellFor(notebook: Notebook, cell: CellState): CellState | null {
  if (LANGUAGES[cell.language].startsPython === 'never') return null;
  const setup = setupCellOf(notebook);
  return setup === null || setup.id === cell.id ? null : setup;
}

/** The source hash for the cell's keys. */
export function keyedSourceHash(notebook: Notebook, cell: CellState): string {
  return withSetupHash(cell.analysis.sourceHash, setupCellFor(notebook, cell)?.analysis.sourceHash ?? null);
}

/** The code that a process of the cell runs first; `nameOf` gives the display name of a cell. */
export function setupCodeOf(
  notebook: Notebook,
  cell: CellState,
  nameOf: (cell: CellState) => string,
): SetupCode | null {
  const setup = setupCellFor(notebook, cell);
  return setup === null ? null : { source: setup.source, cellName: nameOf(setup) };
}

const NONE: readonly string[] = [];
const unions = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

/**
 * Every module the cell's process may import, by dotted name. Returns the same list for the same analyses.
 */
export function importableModuleNames(notebook: Notebook, cell: CellState): readonly string[] {
  const own = cell.analysis.moduleNames;
  const before = setupCellFor(notebook, cell)?.analysis.moduleNames ?? NONE;
  if (before.length === 0) return own;
  const cache = unions.get(own) ?? new WeakMap<readonly string[], readonly string[]>();
  unions.set(own, cache);
  const union = cache.get(before) ?? [...new Set([...before, ...own])];
  cache.set(before, union);
  return union;
}
