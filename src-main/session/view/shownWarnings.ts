/** The warnings in the wire form of a cell: those of the run whose result it shows. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import { storedWarnings } from '../../run/storedWarnings.ts';
import type { CellState } from '../state/state.ts';

/**
 * Beyond the specification: the warnings of the run whose result a cell shows, for windows that opened after
 * it ran.
 */
export function warningsPart({
  artifacts,
  lastError,
  shownRuns,
}: Pick<CellState, 'artifacts' | 'lastError' | 'shownRuns'>): Pick<Cell, 'mutation_warnings'> {
  if (shownRuns === null || lastError !== null) return {};
  const runs = new Set(shownRuns.split(' '));
  const rows = Object.values(artifacts).flatMap(([row]) =>
    row !== undefined && runs.has(row.params['run'] ?? '') ? [row] : [],
  );
  const warnings = storedWarnings(rows);
  return warnings.length === 0 ? {} : { mutation_warnings: [...warnings] };
}
